import path from 'node:path';
import type { Instant } from '../../base/clock.ts';
import { checkObjectKey, isObjectKey } from '../object-key.ts';
import type { AppendOptions, ResumableWrite, ResumableWrites, ResumePoint } from '../resumable-writes.ts';
import { isFullDisk } from './file-system/failures.ts';
import {
  closeFile,
  closeFileSync,
  createFile,
  openFileForWriting,
  statOpenFile,
  truncateFile,
} from './file-system/file-system.ts';
import type { FreeSpace } from './file-system/free-space.ts';
import { findFile, listDirectory } from './listing.ts';
import { type DiskPublishing, removeFile, removeQuietly } from './publishing.ts';
import { DiskAppend } from './resumable-append.ts';

/** Starts with a dot, so no key can lead into it. */
const PARTIAL_DIRECTORY = '.partial';

/** The number of keys in one call of `findClaimed`. */
const CLAIM_BATCH = 500;

/**
 * Resumable writes on a local disk. All pieces are appended to one file, `<root>/.partial/<key>`, where %2F
 * stands for each `/` of the key. At the end the file is renamed to its key, so no byte is written twice.
 * After a crash the file may be longer than the recorded resume point. The next piece truncates it to that
 * point.
 */
export class DiskResumableWrites implements ResumableWrites {
  readonly #root: string;
  readonly #partialDirectory: string;
  readonly #publishing: DiskPublishing;
  readonly #freeSpace: FreeSpace | undefined;

  /** @param root absolute, without a `/` at the end */
  constructor(root: string, publishing: DiskPublishing, freeSpace?: FreeSpace) {
    this.#root = root;
    this.#partialDirectory = path.join(root, PARTIAL_DIRECTORY);
    this.#publishing = publishing;
    this.#freeSpace = freeSpace;
  }

  async begin(key: string): Promise<string> {
    const file = this.#partialOf(key);
    closeFileSync(await this.#publishing.inDirectory(this.#partialDirectory, () => createFile(file)));
    try {
      await this.#publishing.flushName(file);
    } catch (error) {
      await removeQuietly(file);
      throw error;
    }
    return path.basename(file);
  }

  async append(
    write: ResumableWrite,
    from: ResumePoint,
    source: AsyncIterable<Uint8Array>,
    options: AppendOptions,
  ): Promise<void> {
    const append = new DiskAppend(write, from, source, options);
    try {
      const descriptor = await openFileForWriting(this.#partialOf(write.key));
      try {
        await truncateTo(descriptor, from.size, write.key);
      } catch (error) {
        await closeFile(descriptor);
        throw error;
      }
      await append.writeTo(descriptor, this.#freeSpace);
    } catch (error) {
      // The bytes after the last durable point do not count. Removing them makes room on a full disk.
      if (isFullDisk(error)) await this.#truncateQuietly(write.key, append.durableBytes);
      throw error;
    } finally {
      await append.close();
    }
  }

  async finish(write: ResumableWrite, point: ResumePoint): Promise<void> {
    const file = this.#partialOf(write.key);
    const target = path.join(this.#root, write.key);
    if (point.size !== write.size) throw missingBytes(write, point.size);
    const partial = await findFile(file);
    if (partial !== undefined && partial.size !== write.size) throw missingBytes(write, partial.size);
    if (partial !== undefined) await this.#moveUnlessMoved(file, target);
    const finished = await findFile(target);
    if (finished?.size !== write.size) throw missingBytes(write, finished?.size ?? 0);
    // Always needed: an earlier `finish` may have crashed between the rename and its flush. If the flush
    // fails the file stays, because it is the only copy of the bytes.
    await this.#publishing.flushName(target);
  }

  async abort(write: ResumableWrite): Promise<void> {
    await removeFile(this.#partialOf(write.key));
  }

  /** See `ObjectStore.removeAbandonedWrites`. */
  async removeAbandoned(
    before: Instant,
    findClaimed: (keys: readonly string[]) => Promise<readonly string[]>,
  ): Promise<number> {
    let removed = 0;
    let keys: string[] = [];
    const removeUnclaimed = async () => {
      const claimed = new Set(await findClaimed(keys));
      for (const key of keys) {
        if (claimed.has(key)) continue;
        await removeFile(this.#partialOf(key));
        removed += 1;
      }
      keys = [];
    };
    for await (const child of listDirectory(this.#partialDirectory)) {
      const key = toKey(child.name);
      if (key === undefined) continue;
      const file = await findFile(path.join(this.#partialDirectory, child.name));
      if (file === undefined || file.mtimeMs >= before) continue;
      keys.push(key);
      if (keys.length === CLAIM_BATCH) await removeUnclaimed();
    }
    if (keys.length > 0) await removeUnclaimed();
    return removed;
  }

  /** A concurrent `finish` of the same write may have moved the file already. */
  async #moveUnlessMoved(file: string, target: string): Promise<void> {
    try {
      await this.#publishing.move(file, target);
    } catch (error) {
      if ((await findFile(file)) !== undefined) throw error;
    }
  }

  async #truncateQuietly(key: string, size: number): Promise<void> {
    try {
      const descriptor = await openFileForWriting(this.#partialOf(key));
      await truncateFile(descriptor, size).finally(() => closeFile(descriptor));
    } catch {
      // The next piece truncates the file.
    }
  }

  #partialOf(key: string): string {
    checkObjectKey(key);
    return path.join(this.#partialDirectory, encodeURIComponent(key));
  }
}

/** Undefined for a file that this program did not create. */
function toKey(fileName: string): string | undefined {
  const key = fileName.replaceAll('%2F', '/');
  return isObjectKey(key) && encodeURIComponent(key) === fileName ? key : undefined;
}

async function truncateTo(descriptor: number, size: number, key: string): Promise<void> {
  const stats = await statOpenFile(descriptor);
  // A point is reported only after its bytes are durable, so none of them can be missing.
  if (stats.size < size)
    throw new Error(`The write of ${key} has ${stats.size} bytes, but ${size} were reported as durable.`);
  if (stats.size > size) await truncateFile(descriptor, size);
}

function missingBytes({ key, size }: ResumableWrite, found: number): Error {
  return new Error(`The object ${key} cannot be completed: ${found} of ${size} bytes are stored.`);
}
