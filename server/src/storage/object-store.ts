import type { Readable } from 'node:stream';
import type { ByteRange } from '../base/bytes/byte-range.ts';
import type { ByteDigest } from '../base/bytes/byte-streams.ts';
import type { Instant } from '../base/clock.ts';
import type { DirectTransfers } from './direct-transfers.ts';
import type { ResumableWrites } from './resumable-writes.ts';

export interface StoredObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly modifiedAt: Instant;
  /**
   * True where that may be the time at which the writing began, not the one at which the object appeared: S3 dates what
   * came in parts so.
   */
  readonly isDatedByWriteStart?: true;
}

export interface WriteOptions {
  /** The write fails with `over-limit` as soon as more bytes than this have come. */
  readonly maxBytes?: number;
  /** What the person reads in that case. */
  readonly overLimitMessage?: string;
  /** Ends the write; nothing of it stays. */
  readonly signal?: AbortSignal;
  /** Hears how many bytes have come, at every chunk. */
  readonly onProgress?: (bytes: number) => void;
}

/**
 * Holds objects: immutable bytes under a key that this program made. One contract suite
 * (`server/test/support/object-store-contract.ts`) runs over every implementation.
 *
 * Keys are as in object-key.ts; a bad one is our own fault and a plain `Error`. No key is the leading segments
 * of another.
 * Failures: `not-found` for a missing object, `unavailable` when the store is out of reach or full.
 */
export interface ObjectStore {
  /** Undefined where clients cannot speak to the store themselves. */
  readonly direct: DirectTransfers | undefined;

  /** For objects that come in pieces. */
  readonly resumable: ResumableWrites;

  /**
   * Stores what the source yields. The object is visible only when it is whole and durable: when the promise
   * resolves, it survives a power cut; when it rejects, or the program dies before, nothing new is visible under
   * the key. An object that was there is replaced in one step.
   *
   * The source must not change a chunk after giving it. It is ended when the write fails: a stream is
   * destroyed. Whoever still needs the stream, to answer on its socket, hands in
   * `stream.iterator({ destroyOnReturn: false })`.
   *
   * @throws Failure `over-limit`; the reason of the signal; what the source throws
   */
  write(key: string, source: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<ByteDigest>;

  /**
   * Opens the object, or a range of it. The stream is the caller's to end or destroy. It fails rather than
   * give fewer bytes: the caller has announced a length. So a range behind the end is an error too, and no
   * `Failure`: ranges are held against the size in the records before they come here.
   */
  open(key: string, range?: ByteRange): Promise<Readable>;

  /** Reads a range of known, small length in one go. Ranges are as with `open`. */
  read(key: string, range: ByteRange): Promise<Buffer>;

  /** Size and time of an object, or undefined where there is none. */
  find(key: string): Promise<StoredObject | undefined>;

  /**
   * Removes objects; one that is not there is no error. When the promise resolves none comes back, not even after a
   * power cut; when it rejects, some may be gone.
   */
  remove(keys: readonly string[]): Promise<void>;

  /**
   * Every object whose key is `prefix` or lies below it (`a/b` has `a/b/c` and not `a/bc`), or every object
   * for the empty prefix, in the order of their keys, byte by byte. What comes or goes meanwhile may or may not be among
   * them.
   */
  list(prefix: string): AsyncIterable<StoredObject>;

  /** Copies an object without its bytes passing this program, if the store can. Visible and durable as with `write`. */
  copy(source: string, target: string): Promise<void>;

  /**
   * The same from another store. False where these two cannot do that: then nothing has happened.
   * @param options.signal ends it soon; the object is there or never comes
   */
  copyFrom(
    other: ObjectStore,
    source: string,
    target: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<boolean>;

  /**
   * Removes what cut-off writes, multipart uploads and resumable writes left behind and nobody has touched since
   * `before`. Gives how many. A write that was silent for so long fails, unless its key is claimed.
   *
   * @param findClaimed gives those of the keys whose resumable write or multipart upload is still wanted
   */
  removeAbandonedWrites(
    before: Instant,
    findClaimed: (keys: readonly string[]) => Promise<readonly string[]>,
  ): Promise<number>;

  /** Ends with an error unless the store can be written and read. */
  check(): Promise<void>;

  /** Ends connections that wait for more to do. Nothing is asked of the store afterwards. */
  close(): void;
}
