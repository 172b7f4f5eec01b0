import { type Clock, HOUR, type Instant, MINUTE } from '../base/clock.ts';

const REMEMBERED_MS = HOUR;
/** The delay after a first time-out, which a busy computer may have caused. */
const AFTER_TIMEOUT_MS = 2 * MINUTE;
const MAX_PICTURES = 10_000;

/**
 * Pictures that could not be decoded. They are not tried again for a while, because a malicious picture takes
 * seconds each time. A picture that took too long gets a second chance soon. Each instance remembers its own
 * failures.
 */
export class FailedPictures {
  readonly #clock: Clock;
  readonly #maxPictures: number;
  /** Ordered by age, the oldest first. */
  readonly #pictures = new Map<string, FailedPicture>();

  constructor(clock: Clock, maxPictures = MAX_PICTURES) {
    this.#clock = clock;
    this.#maxPictures = maxPictures;
  }

  get size(): number {
    return this.#pictures.size;
  }

  add(key: string, isTimeout: boolean): FailedPicture {
    const isFirstTimeout = isTimeout && this.#pictures.get(key)?.isTimeout !== true;
    const until = this.#clock.now() + (isFirstTimeout ? AFTER_TIMEOUT_MS : REMEMBERED_MS);
    const failed = { until, isTimeout };
    this.#pictures.delete(key);
    this.#pictures.set(key, failed);
    const [oldest] = this.#pictures.keys();
    if (this.#pictures.size > this.#maxPictures && oldest !== undefined) this.#pictures.delete(oldest);
    return failed;
  }

  /** Forgets a picture that could be decoded after all. */
  delete(key: string): void {
    this.#pictures.delete(key);
  }

  /** Returns undefined if the picture may be tried. */
  find(key: string): FailedPicture | undefined {
    const picture = this.#pictures.get(key);
    if (picture === undefined || picture.until > this.#clock.now()) return picture;
    // Remembers a time-out, so that the next one counts as the second.
    if (!picture.isTimeout) this.#pictures.delete(key);
    return undefined;
  }
}

export interface FailedPicture {
  /** The picture is not tried again before this time. */
  readonly until: Instant;
  /** Whether decoding took too long. Such a picture may be valid. */
  readonly isTimeout: boolean;
}
