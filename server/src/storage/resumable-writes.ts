/**
 * The progress of a resumable write: everything up to this point is durable. It consists of plain values that
 * the owner records.
 */
export interface ResumePoint {
  /** The size in bytes. */
  readonly size: number;
  /** The number of whole parts in the store; 0 for a store without parts. */
  readonly parts: number;
  /** The key of an object that holds the last bytes, when they are too few for a part; otherwise null. */
  readonly tailKey: string | null;
}

export const NOTHING_WRITTEN: ResumePoint = { size: 0, parts: 0, tailKey: null };

/** An object that is sent in pieces, perhaps over days and through several instances in turn. */
export interface ResumableWrite {
  readonly key: string;
  /** The id that `begin` returned. */
  readonly id: string;
  /** The size of the complete object in bytes. */
  readonly size: number;
}

export interface AppendOptions {
  /** Ends the piece. Bytes up to the last reported point are kept. */
  readonly signal: AbortSignal;
  /** As for `ObjectStore.write`. */
  readonly ownsChunks?: boolean;
  /** Returns an unused key for a tail. */
  newKey(): string;
  /**
   * Called with each new durable point, one call at a time. Once the promise resolves, the point counts and
   * the tail of the previous point is removed. If the promise rejects, the piece ends with that error.
   */
  onPoint(point: ResumePoint): Promise<void>;
}

/**
 * Writes that survive broken connections, restarts and power cuts. The owner records the resume point. Bytes
 * in the store after that point do not count and are written again. The owner must ensure that only one
 * caller appends at a time.
 */
export interface ResumableWrites {
  /**
   * Returns the id of the write in the store. It exists until it is finished, aborted, or removed as
   * abandoned.
   */
  begin(key: string): Promise<string>;

  /**
   * Appends the bytes of the source after `from`, until the source ends, fails or is stopped, or the write
   * has its full size. After a failure, the bytes received so far are made durable and reported as a point;
   * then the promise rejects.
   *
   * @throws Failure `over-limit` when the source has more bytes than the write needs; the surplus is dropped
   */
  append(
    write: ResumableWrite,
    from: ResumePoint,
    source: AsyncIterable<Uint8Array>,
    options: AppendOptions,
  ): Promise<void>;

  /**
   * Turns a write that has its full size into an object, which is visible and durable when the promise
   * resolves. The cost does not depend on the size. May be repeated, even after it has succeeded.
   *
   * @throws Error when bytes are missing
   */
  finish(write: ResumableWrite, point: ResumePoint): Promise<void>;

  /** Discards the write. Not an error if it does not exist. */
  abort(write: ResumableWrite, point: ResumePoint): Promise<void>;
}
