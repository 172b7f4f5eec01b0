import { type Clock, HOUR, type Instant } from '../base/clock.ts';

const REMEMBERED_MS = HOUR;
const MAX_PICTURES = 10_000;

/**
 * Pictures that could not be decoded. They are not tried again for a while, because a picture made for it
 * takes seconds each time. Each instance remembers its own.
 */
export class FailedPictures {
  readonly #clock: Clock;
  readonly #maxPictures: number;
  /** The time until which each picture is remembered, the oldest first. */
  readonly #until = new Map<string, Instant>();

  constructor(clock: Clock, maxPictures = MAX_PICTURES) {
    this.#clock = clock;
    this.#maxPictures = maxPictures;
  }

  get size(): number {
    return this.#until.size;
  }

  add(key: string): void {
    this.#until.delete(key);
    this.#until.set(key, this.#clock.now() + REMEMBERED_MS);
    const [oldest] = this.#until.keys();
    if (this.#until.size > this.#maxPictures && oldest !== undefined) this.#until.delete(oldest);
  }

  has(key: string): boolean {
    const until = this.#until.get(key);
    if (until === undefined) return false;
    if (until > this.#clock.now()) return true;
    this.#until.delete(key);
    return false;
  }
}
