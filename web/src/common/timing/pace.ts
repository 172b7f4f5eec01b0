/**
 * Decides when to handle gathered changes: soon after the first one, and less and less often while more keep
 * coming. Handling them costs the same, however many there are.
 */
export class Pace {
  readonly #firstMs: number;
  readonly #lastMs: number;
  #intervalMs: number;
  #handledAt = Number.NEGATIVE_INFINITY;

  /**
   * @param lastMs the longest interval; after a pause of this length, the next change is handled soon again
   */
  constructor({ firstMs, lastMs }: { readonly firstMs: number; readonly lastMs: number }) {
    this.#firstMs = firstMs;
    this.#lastMs = lastMs;
    this.#intervalMs = firstMs;
  }

  /** How many milliseconds to wait. Must be called once for all changes that are handled together. */
  waitMs(now: number): number {
    const sinceMs = now - this.#handledAt;
    this.#intervalMs = sinceMs >= this.#lastMs ? this.#firstMs : Math.min(this.#intervalMs * 2, this.#lastMs);
    return Math.max(this.#firstMs, this.#intervalMs - sinceMs);
  }

  /** Must be called when the changes are handled. */
  handled(now: number): void {
    this.#handledAt = now;
  }
}
