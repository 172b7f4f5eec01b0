import { TimeoutError } from '../errors/errors.ts';

/**
 * Limits how long a read may wait for bytes. One timer for all reads, which looks when the present one began:
 * a timer for each of many small reads takes longer than the reads.
 */
export class StallTimer {
  readonly #stallMs: number;
  readonly #onStall: () => void;
  #timer: ReturnType<typeof setTimeout>;
  #waitingSince: number | undefined;
  #isStalled = false;

  /** @param onStall ends the read that waits */
  constructor(stallMs: number, onStall: () => void) {
    this.#stallMs = stallMs;
    this.#onStall = onStall;
    this.#timer = setTimeout(this.#check, stallMs);
  }

  /** A read begins. */
  begin(): void {
    this.#waitingSince = performance.now();
  }

  /** The read has ended. @throws TimeoutError if it had waited too long */
  end(): void {
    this.#waitingSince = undefined;
    if (this.#isStalled) throw new TimeoutError(`No byte has arrived for ${this.#stallMs / 1_000} s.`);
  }

  /** Nothing is read any more. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  readonly #check = () => {
    const waitedMs = this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince;
    if (waitedMs >= this.#stallMs) {
      this.#isStalled = true;
      this.#onStall();
    } else this.#timer = setTimeout(this.#check, this.#stallMs - waitedMs);
  };
}
