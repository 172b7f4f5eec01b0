import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { ByteRange } from '../base/bytes/byte-range.ts';
import type { ByteDigest } from '../base/bytes/byte-streams.ts';
import type { Instant } from '../base/clock.ts';
import type { DirectTransfers } from './direct-transfers.ts';
import type { FreeSpace } from './disk/file-system/free-space.ts';
import type { ResumableWrites } from './resumable-writes.ts';

export interface StoredObject {
  readonly key: string;
  /** The size in bytes. */
  readonly size: number;
  readonly modifiedAt: Instant;
  /**
   * True when `modifiedAt` may be the time at which the write began, instead of the time at which the object
   * became visible. S3 dates objects from multipart uploads this way.
   */
  readonly isDatedByWriteStart?: true;
}

export interface WriteOptions {
  /** The write fails with `over-limit` as soon as it receives more bytes than this. */
  readonly maxBytes?: number;
  /** The message for the user in that case. */
  readonly overLimitMessage?: string;
  /** Cancels the write, which then leaves nothing behind. */
  readonly signal?: AbortSignal;
  /**
   * Whether the write owns the chunks and may free their memory once they are stored. By default the caller
   * owns them.
   */
  readonly ownsChunks?: boolean;
  /** Called with the number of bytes received so far, after every chunk. */
  readonly onProgress?: (bytes: number) => void;
}

/**
 * Stores objects: immutable bytes under a key that this program generated. One test suite
 * (`server/test/support/storage/contract/object-store-contract.ts`) runs on every implementation.
 *
 * Keys follow object-key.ts; an invalid key throws a plain `Error`. No key is a parent path of another key.
 * Failures: `not-found` for a missing object, `unavailable` when the store cannot be reached, `over-limit`
 * when it is full.
 */
export interface ObjectStore {
  /** Undefined when clients cannot send requests to the store themselves. */
  readonly direct: DirectTransfers | undefined;

  /** Admits uploads before they begin; undefined when the store is not a disk of this service. */
  readonly freeSpace?: FreeSpace | undefined;

  /** Writes of objects that are sent in several pieces. */
  readonly resumable: ResumableWrites;

  /**
   * Stores the bytes of the source. The object becomes visible only when it is complete and durable. Once the
   * promise resolves, it survives a power cut. If the promise rejects, or the process crashes first, nothing
   * new is visible under the key. An existing object is replaced atomically.
   *
   * The source must not change a chunk after yielding it. When the write fails, the source is closed: a
   * stream is destroyed. A caller that still needs the stream, to respond on its socket, passes
   * `stream.iterator({ destroyOnReturn: false })`.
   *
   * @throws Failure `over-limit`; the reason of the signal; the error of the source
   */
  write(key: string, source: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<ByteDigest>;

  /**
   * Like `write`, from an open file on this machine. The object shares the blocks of the file if the file
   * system supports that. Undefined for a store that cannot share blocks.
   */
  writeFromFile?(key: string, file: FileHandle, options?: WriteOptions): Promise<ByteDigest>;

  /**
   * Opens the object, or a range of it. The caller must read the stream to its end or destroy it. The stream
   * fails rather than yield fewer bytes, because the caller has announced a length. A range beyond the end is
   * a plain `Error`: callers check ranges against the recorded size first.
   */
  open(key: string, range?: ByteRange): Promise<Readable>;

  /** Reads a small range into memory. The rules for ranges are those of `open`. */
  read(key: string, range: ByteRange): Promise<Buffer>;

  /** The size and time of an object, or undefined if it does not exist. */
  find(key: string): Promise<StoredObject | undefined>;

  /**
   * Removes objects; a missing one is not an error. Once the promise resolves, none of them reappears, even
   * after a power cut. If it rejects, some of them may have been removed.
   */
  remove(keys: readonly string[]): Promise<void>;

  /**
   * Lists the objects whose key is `prefix` or starts with `prefix/` (for `a/b`: `a/b/c`, but not `a/bc`), or
   * all objects for the empty prefix, sorted by key in byte order. Objects that are written or removed
   * meanwhile may or may not be listed.
   */
  list(prefix: string): AsyncIterable<StoredObject>;

  /**
   * Copies an object, inside the store if it can do that. The copy is visible and durable as after `write`.
   */
  copy(source: string, target: string): Promise<void>;

  /**
   * Like `copy`, from another store. Does nothing and resolves with false if these two stores cannot do that.
   * @param options.signal cancels the copy soon; afterwards the object exists or will never appear
   */
  copyFrom(
    other: ObjectStore,
    source: string,
    target: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<boolean>;

  /**
   * Removes the remains of interrupted writes, multipart uploads and resumable writes that have not changed
   * since `before`, and resolves with their number. A running write fails if it has made no progress since
   * then, unless its key is claimed.
   *
   * @param findClaimed given some keys, returns those whose unfinished write is still needed
   */
  removeAbandonedWrites(
    before: Instant,
    findClaimed: (keys: readonly string[]) => Promise<readonly string[]>,
  ): Promise<number>;

  /** Rejects unless the store can be written and read. */
  check(): Promise<void>;

  /** Closes idle connections. The store must not be used afterwards. */
  close(): void;
}
