import type { Readable } from 'node:stream';
import type { ByteRange } from '../base/byte-range.ts';
import type { ByteDigest } from '../base/byte-streams.ts';
import type { Instant } from '../base/clock.ts';

export interface StoredObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly modifiedAt: Instant;
}

export interface WriteOptions {
  /** The write fails with `over-limit` as soon as more bytes than this have come. */
  readonly maxBytes?: number;
  /** What the person reads in that case. */
  readonly overLimitMessage?: string;
  /** Ends the write; nothing of it stays. */
  readonly signal?: AbortSignal;
}

/**
 * Holds objects: immutable bytes under a key that this program made. One contract suite
 * (`object-store.contract.ts` in the tests) runs over every implementation.
 *
 * Keys are `/`-separated segments of `A-Z a-z 0-9 . _ -`, never starting with a dot; anything else is refused.
 * Errors: `not-found` for a missing object, `unavailable` when the store is out of reach or full.
 */
export interface ObjectStore {
  /**
   * Stores what the source yields. The object is visible only when it is whole and durable: when the promise
   * resolves, it survives a power cut; when it rejects, or the program dies before, nothing is visible under the
   * key. An object that was there is replaced in one step.
   */
  write(key: string, source: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<ByteDigest>;

  /** Opens the object, or a range of it. The stream is the caller's to end or destroy. */
  open(key: string, range?: ByteRange): Promise<Readable>;

  /** Reads an object (or a range) of known, small length in one go. */
  read(key: string, range: ByteRange): Promise<Buffer>;

  /** Size and time of an object, or undefined where there is none. */
  find(key: string): Promise<StoredObject | undefined>;

  /** Removes objects; one that is not there is no error. */
  remove(keys: readonly string[]): Promise<void>;

  /** Every object whose key starts with `prefix` (whole segments), in no particular order. */
  list(prefix: string): AsyncIterable<StoredObject>;

  /** Removes what cut-off writes left behind and nobody has touched since `before`. Gives how many. */
  removeAbandonedWrites(before: Instant): Promise<number>;

  /** Ends with an error unless the store can be written and read. */
  check(): Promise<void>;
}
