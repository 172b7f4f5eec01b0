// Objects that come in pieces, on a local disk. All pieces go into one file, `<root>/.partial/<key>` with the `/` of
// the key written as %2F, which is renamed to its key in the end: no byte is written twice. The file may be longer than
// the last point that was recorded; the next piece cuts it there.

import path from 'node:path';
import type { Instant } from '../../base/clock.ts';
import { checkObjectKey, isObjectKey } from '../object-key.ts';
import type { AppendOptions, ResumableWrite, ResumableWrites, ResumePoint } from '../resumable-writes.ts';
import {
  closeFile,
  closeFileSync,
  createFile,
  openFileForWriting,
  statOpenFile,
  truncateFile,
} from './file-system.ts';
import { childrenOf, findFile } from './listing.ts';
import { type DiskPublishing, removeFile, removeQuietly } from './publishing.ts';
import { DiskAppend } from './resumable-append.ts';

/** Starts with a dot, so no key can reach it. */
const PARTIAL = '.partial';

/** How many keys one question after claims names. */
const CLAIMS_AT_ONCE = 500;

export class DiskResumableWrites implements ResumableWrites {
  readonly #root: string;
  readonly #partial: string;
  readonly #publishing: DiskPublishing;

  /** @param root absolute, without a `/` at the end */
  constructor(root: string, publishing: DiskPublishing) {
    this.#root = root;
    this.#partial = path.join(root, PARTIAL);
    this.#publishing = publishing;
  }

  async begin(key: string): Promise<string> {
    const file = this.#partialOf(key);
    closeFileSync(await this.#publishing.inDirectory(this.#partial, () => createFile(file)));
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
    const piece = new DiskAppend(write, from, source, options);
    try {
      const descriptor = await openFileForWriting(this.#partialOf(write.key));
      try {
        await cutTo(descriptor, from.size, write.key);
      } catch (error) {
        await closeFile(descriptor);
        throw error;
      }
      await piece.writeTo(descriptor);
    } finally {
      await piece.close();
    }
  }

  async finish(write: ResumableWrite, point: ResumePoint): Promise<void> {
    const file = this.#partialOf(write.key);
    const target = path.join(this.#root, write.key);
    if (point.size !== write.size) throw bytesMissing(write, point.size);
    const partial = await findFile(file);
    if (partial !== undefined && partial.size !== write.size) throw bytesMissing(write, partial.size);
    if (partial !== undefined) await this.#moveUnlessDone(file, target);
    const finished = await findFile(target);
    if (finished?.size !== write.size) throw bytesMissing(write, finished?.size ?? 0);
    // Whoever moved it may have died before the name was durable. When the flush fails the bytes stay where they are:
    // nobody has others.
    await this.#publishing.flushName(target);
  }

  async abort(write: ResumableWrite): Promise<void> {
    await removeFile(this.#partialOf(write.key));
  }

  /** As `removeAbandonedWrites` of the store. */
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
    for await (const child of childrenOf(this.#partial)) {
      const key = toKey(child.name);
      if (key === undefined) continue;
      const file = await findFile(path.join(this.#partial, child.name));
      if (file === undefined || file.mtimeMs >= before) continue;
      keys.push(key);
      if (keys.length === CLAIMS_AT_ONCE) await removeUnclaimed();
    }
    if (keys.length > 0) await removeUnclaimed();
    return removed;
  }

  /** Whoever finishes the same write at the same time may be faster. */
  async #moveUnlessDone(file: string, target: string): Promise<void> {
    try {
      await this.#publishing.move(file, target);
    } catch (error) {
      if ((await findFile(file)) !== undefined) throw error;
    }
  }

  #partialOf(key: string): string {
    checkObjectKey(key);
    return path.join(this.#partial, encodeURIComponent(key));
  }
}

/** Undefined for what somebody else has laid there. */
function toKey(fileName: string): string | undefined {
  const key = fileName.replaceAll('%2F', '/');
  return isObjectKey(key) && encodeURIComponent(key) === fileName ? key : undefined;
}

async function cutTo(descriptor: number, size: number, key: string): Promise<void> {
  const stats = await statOpenFile(descriptor);
  // Everything up to a point was durable before it was told.
  if (stats.size < size)
    throw new Error(`The write of ${key} has ${stats.size} bytes, and ${size} were told.`);
  if (stats.size > size) await truncateFile(descriptor, size);
}

function bytesMissing({ key, size }: ResumableWrite, found: number): Error {
  return new Error(`The object ${key} cannot be made: of ${size} bytes there are ${found}.`);
}
