import { createReadStream, existsSync, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { ByteRange } from '../../base/bytes/byte-range.ts';
import type { ByteDigest } from '../../base/bytes/byte-streams.ts';
import type { Instant } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { type Ids, systemIds } from '../../base/ids.ts';
import { HashingChunkSource } from '../chunk-source.ts';
import { checkObjectKey, checkObjectPrefix } from '../object-key.ts';
import type { ObjectStore, StoredObject, WriteOptions } from '../object-store.ts';
import type { ResumableWrites } from '../resumable-writes.ts';
import { DiskDirectories } from './file-system/directories.ts';
import { DirectoryFlush } from './file-system/directory-flush.ts';
import { hasCode, isMissing } from './file-system/failures.ts';
import { FileStream } from './file-system/file-stream.ts';
import {
  closeFile,
  closeFileSync,
  copyFile,
  createFile,
  createFlushedFile,
  flushBytes,
  openFile,
  openFileForWriting,
  readFully,
  renameFile,
  setFileMode,
  statOpenFile,
} from './file-system/file-system.ts';
import type { FreeSpace } from './file-system/free-space.ts';
import { writeFlushedFile } from './flushed-file.ts';
import { findFile, listDirectory, walkObjects } from './listing.ts';
import { DiskPublishing, removeFile, removeQuietly } from './publishing.ts';
import { DiskResumableWrites } from './resumable-writes.ts';

/** Starts with a dot, so no key can lead into it. */
const INCOMING_DIRECTORY = '.incoming';

const MAX_CONCURRENT_REMOVALS = 16;

/** On Linux, a path in this directory leads to the file that a descriptor of this process has opened. */
const OWN_DESCRIPTORS = '/proc/self/fd';
const hasOwnDescriptors = existsSync(OWN_DESCRIPTORS);

/** The number of bytes that are read at a time. */
const HASHED_BYTES = 512 * 1024;

/**
 * Stores each object as the file `<root>/<key>`.
 *
 * Durability. A write is acknowledged after these steps, in this order:
 *
 * 1. The bytes are written to `<root>/.incoming/<random>` and flushed.
 * 2. The directory of the key exists, and its name is durable in its parent, up to the root.
 * 3. The file is renamed to `<root>/<key>`, which replaces an older object atomically.
 * 4. The directory of the key is flushed, which makes the new name durable.
 *
 * So a power cut before the acknowledgement leaves the old object or the whole new one, never a part of it. A
 * file may remain in `.incoming`; `removeAbandonedWrites` removes it later. A removal is acknowledged after
 * the directory is flushed, so that a removed object does not reappear.
 *
 * Several instances may share one root.
 */
export class LocalDiskStore implements ObjectStore {
  /** Clients cannot access the files. They send all requests through this program. */
  readonly direct = undefined;
  readonly freeSpace: FreeSpace | undefined;
  readonly #root: string;
  readonly #incoming: string;
  readonly #ids: Ids;
  readonly #flush = new DirectoryFlush();
  readonly #directories: DiskDirectories;
  readonly #publishing: DiskPublishing;
  readonly #resumable: DiskResumableWrites;
  /** Maps the files in `.incoming` that this store writes to the keys of their objects. */
  readonly #writing = new Map<string, string>();

  /**
   * @param root absolute path of a directory, which the first write creates if it is missing
   * @param freeSpace ends large writes while the disk is almost full
   */
  constructor(root: string, ids: Ids = systemIds, freeSpace?: FreeSpace) {
    if (!path.isAbsolute(root)) throw new Error(`The root of a store must be absolute: ${root}`);
    this.#root = path.resolve(root);
    this.#incoming = path.join(this.#root, INCOMING_DIRECTORY);
    this.#ids = ids;
    this.freeSpace = freeSpace;
    this.#directories = new DiskDirectories(this.#root, this.#flush);
    this.#publishing = new DiskPublishing(this.#flush, this.#directories);
    this.#resumable = new DiskResumableWrites(this.#root, this.#publishing, freeSpace);
  }

  get resumable(): ResumableWrites {
    return this.#resumable;
  }

  /** The path at which a reverse proxy finds the object, if it exists, to send it for us. */
  pathOf(key: string): string {
    checkObjectKey(key);
    return path.join(this.#root, key);
  }

  async write(
    key: string,
    source: AsyncIterable<Uint8Array>,
    options: WriteOptions = {},
  ): Promise<ByteDigest> {
    const bytes = new HashingChunkSource(source, options);
    try {
      const target = this.pathOf(key);
      return await this.#withTemporary(key, async (temporary) => {
        const digest = await this.#receive(temporary, bytes, options.ownsChunks);
        options.signal?.throwIfAborted();
        await this.#publishing.publish(temporary, target);
        return digest;
      });
    } finally {
      await bytes.close();
    }
  }

  async writeFromFile(key: string, file: FileHandle, options: WriteOptions = {}): Promise<ByteDigest> {
    // Copies by descriptor: the file's path may lead to another file by now.
    const opened = `${OWN_DESCRIPTORS}/${file.fd}`;
    if (!hasOwnDescriptors)
      return this.write(key, file.createReadStream({ start: 0, autoClose: false }), options);
    const target = this.pathOf(key);
    return await this.#withTemporary(key, async (temporary) => {
      await this.#publishing.inDirectory(this.#incoming, () => copyFile(opened, temporary));
      await setFileMode(temporary);
      // Hashes the copy, because the file itself may change.
      const digest = await hashFile(temporary, options);
      await flushFile(temporary);
      options.signal?.throwIfAborted();
      await this.#publishing.publish(temporary, target);
      return digest;
    });
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    const descriptor = await this.#openObject(key);
    try {
      // Check before the caller announces a length. A directory can be opened like a file.
      const stats = await statOpenFile(descriptor);
      if (!stats.isFile()) throw notFound(key);
      const { start, end } = range ?? { start: 0, end: stats.size - 1 };
      if (range !== undefined) checkRange(key, range, stats.size);
      return new FileStream(descriptor, start, end - start + 1);
    } catch (error) {
      await closeFile(descriptor);
      throw error;
    }
  }

  async read(key: string, range: ByteRange): Promise<Buffer> {
    checkRange(key, range, Number.POSITIVE_INFINITY);
    const descriptor = await this.#openObject(key);
    try {
      return await readBytes(descriptor, range.start, range.end - range.start + 1);
    } catch (error) {
      throw hasCode(error, 'EISDIR') ? notFound(key, error) : error;
    }
  }

  async find(key: string): Promise<StoredObject | undefined> {
    const stats = await findFile(this.pathOf(key));
    return stats && toStoredObject(key, stats);
  }

  async remove(keys: readonly string[]): Promise<void> {
    const paths = keys.map((key) => this.pathOf(key));
    await forEachConcurrently(paths, MAX_CONCURRENT_REMOVALS, removeFile);
    const directories = new Set(paths.map((each) => path.dirname(each)));
    await forEachConcurrently(directories, MAX_CONCURRENT_REMOVALS, (directory) =>
      this.#flushRemovals(directory),
    );
    for (const directory of directories) await this.#directories.removeEmpty(directory);
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    checkObjectPrefix(prefix);
    const exact = prefix === '' ? undefined : await this.find(prefix);
    if (exact !== undefined) yield exact;
    for await (const { key, stats } of walkObjects(this.#root, prefix)) yield toStoredObject(key, stats);
  }

  async copy(source: string, target: string): Promise<void> {
    const [from, to] = [this.pathOf(source), this.pathOf(target)];
    if ((await findFile(from)) === undefined) throw notFound(source);
    await this.#withTemporary(target, async (temporary) => {
      await this.#publishing.inDirectory(this.#incoming, () => copyObject(source, from, temporary));
      await flushFile(temporary);
      await this.#publishing.publish(temporary, to);
    });
  }

  /** Not supported: copying a large file takes long and cannot be cancelled. */
  async copyFrom(): Promise<boolean> {
    return false;
  }

  async removeAbandonedWrites(
    before: Instant,
    findClaimed: (keys: readonly string[]) => Promise<readonly string[]>,
  ): Promise<number> {
    let removed = await this.#resumable.removeAbandoned(before, findClaimed);
    for await (const child of listDirectory(this.#incoming)) {
      const incoming = path.join(this.#incoming, child.name);
      const file = await findFile(incoming);
      if (file === undefined || file.mtimeMs >= before) continue;
      const key = this.#writing.get(incoming);
      if (key !== undefined && (await findClaimed([key])).length > 0) continue;
      await removeFile(incoming);
      removed += 1;
    }
    return removed;
  }

  /** Writes, renames and reads a probe like an object, but inside `.incoming`, which is never listed. */
  async check(): Promise<void> {
    const temporary = this.#temporaryPath();
    const probe = this.#temporaryPath();
    const expected = Buffer.from(this.#ids.uuid());
    try {
      await this.#receive(temporary, new HashingChunkSource(Readable.from([expected]), {}));
      await renameFile(temporary, probe);
      await this.#flush.flush(this.#incoming);
      const found = await readBytes(await openFile(probe), 0, expected.byteLength);
      if (!found.equals(expected)) {
        throw new Failure('unavailable', 'The storage returned different bytes than were written.', {
          retryAfterSeconds: 5,
        });
      }
    } finally {
      await Promise.allSettled([removeFile(temporary), removeFile(probe)]);
    }
  }

  /** Does nothing: the store keeps no file open. */
  close(): void {}

  #temporaryPath(): string {
    return path.join(this.#incoming, this.#ids.uuid());
  }

  /** Calls `write` with the path of a new file in `.incoming`. If that fails, the file is removed. */
  async #withTemporary<T>(key: string, write: (temporary: string) => Promise<T>): Promise<T> {
    const temporary = this.#temporaryPath();
    this.#writing.set(temporary, key);
    try {
      return await write(temporary);
    } catch (error) {
      await removeQuietly(temporary);
      throw error;
    } finally {
      this.#writing.delete(temporary);
    }
  }

  async #receive(temporary: string, bytes: HashingChunkSource, ownsChunks = false): Promise<ByteDigest> {
    return await writeFlushedFile(
      async (mode) => {
        const create = mode === 'flushed' ? createFlushedFile : createFile;
        return await this.#publishing.inDirectory(this.#incoming, () => create(temporary));
      },
      bytes,
      { freeSpace: this.freeSpace, ownsChunks },
    );
  }

  /**
   * Makes removals in the directory durable. If another instance has removed the directory itself, flushing
   * its parent does the same.
   */
  async #flushRemovals(directory: string): Promise<void> {
    for (let each = directory; each.length >= this.#root.length; each = path.dirname(each)) {
      try {
        return await this.#flush.flush(each);
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    }
  }

  async #openObject(key: string): Promise<number> {
    try {
      return await openFile(this.pathOf(key));
    } catch (error) {
      throw isMissing(error) ? notFound(key, error) : error;
    }
  }
}

function toStoredObject(key: string, stats: Stats): StoredObject {
  return { key, size: stats.size, modifiedAt: Math.floor(stats.mtimeMs) };
}

function notFound(key: string, cause?: unknown): Failure {
  return new Failure('not-found', `There is no object ${key}.`, { cause });
}

/**
 * Callers compute ranges from the recorded size. So a wrong range is a bug or a damaged file, not a client's
 * mistake.
 */
function checkRange(key: string, { start, end }: ByteRange, size: number): void {
  const isInside =
    Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start <= end && end < size;
  if (!isInside) throw new RangeError(`The object ${key} (${size} bytes) has no bytes ${start}-${end}.`);
}

/**
 * Throws `not-found` for a missing source. A missing target directory keeps its `ENOENT`: the caller
 * recreates it.
 */
async function copyObject(key: string, from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    if (isMissing(error) && (await findFile(from)) === undefined) throw notFound(key, error);
    throw error;
  }
}

/** @throws Failure `over-limit` for a file that is too large */
async function hashFile(file: string, options: WriteOptions): Promise<ByteDigest> {
  const bytes = new HashingChunkSource(createReadStream(file, { highWaterMark: HASHED_BYTES }), options);
  try {
    while (!(await bytes.nextBatch(HASHED_BYTES)).isLast) options.signal?.throwIfAborted();
    return bytes.digest();
  } finally {
    await bytes.close();
  }
}

async function flushFile(file: string): Promise<void> {
  const descriptor = await openFileForWriting(file);
  try {
    await flushBytes(descriptor);
  } finally {
    await closeFile(descriptor);
  }
}

/** Reads from the descriptor and closes it. */
async function readBytes(descriptor: number, position: number, length: number): Promise<Buffer> {
  try {
    const bytes = Buffer.allocUnsafe(length);
    await readFully(descriptor, bytes, position);
    return bytes;
  } finally {
    closeFileSync(descriptor);
  }
}

/**
 * Runs `action` once per value, at most `concurrency` at a time. A failure does not stop the calls for other
 * values; the promise rejects with it afterwards.
 */
async function forEachConcurrently<T>(
  values: Iterable<T>,
  concurrency: number,
  action: (value: T) => Promise<void>,
): Promise<void> {
  const remaining = values[Symbol.iterator]();
  const results = await Promise.allSettled(
    Array.from({ length: concurrency }, async () => {
      for (let next = remaining.next(); !next.done; next = remaining.next()) await action(next.value);
    }),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
