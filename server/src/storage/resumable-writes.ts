/** How far a write in pieces has come; everything up to here is durable. Plain values, to be kept in a record. */
export interface ResumePoint {
  /** Bytes. */
  readonly size: number;
  /** Whole parts that the store has; 0 where it does not count in parts. */
  readonly parts: number;
  /** An object that holds the last bytes, too few for a part, or null. */
  readonly tailKey: string | null;
}

export const NOTHING_WRITTEN: ResumePoint = { size: 0, parts: 0, tailKey: null };

/** An object that comes in pieces, perhaps over days, and through several instances one after another. */
export interface ResumableWrite {
  readonly key: string;
  /** As `begin` gave it. */
  readonly id: string;
  /** Bytes of the whole object. */
  readonly size: number;
}

export interface AppendOptions {
  /** Ends the piece; what came before is kept, as far as points have been told. */
  readonly signal: AbortSignal;
  /** A key that no object has, for a tail. */
  newKey(): string;
  /**
   * Hears of every point that is reached and durable, one at a time. The point only counts once this resolves; when it
   * rejects, the piece ends with that error. A tail of the point before is no longer needed then, and is removed here.
   */
  onPoint(point: ResumePoint): Promise<void>;
}

/**
 * Writes that survive broken connections, restarts and a power cut. The owner keeps the point; whatever lies in the
 * store behind the point does not count and is written again. Only one may append at a time: the owner sees to that.
 */
export interface ResumableWrites {
  /** Gives the id of the write at the store. It stays until it is finished, aborted, or swept as abandoned. */
  begin(key: string): Promise<string>;

  /**
   * Takes bytes from the source behind `from`, until it ends, fails or is stopped, or the write has its size. What came
   * before a failure is made durable and told as a point too; then it rejects with the failure.
   *
   * @throws Failure `over-limit` when more bytes come than the write may have: none of the surplus is kept
   */
  append(
    write: ResumableWrite,
    from: ResumePoint,
    source: AsyncIterable<Uint8Array>,
    options: AppendOptions,
  ): Promise<void>;

  /**
   * Makes the object of a write that has its whole size: visible and durable when the promise resolves, at a cost that
   * does not depend on the size. May be repeated, and may have been done already.
   *
   * @throws Error when the bytes are not there
   */
  finish(write: ResumableWrite, point: ResumePoint): Promise<void>;

  /** Drops what was written; no error where nothing is. */
  abort(write: ResumableWrite, point: ResumePoint): Promise<void>;
}
