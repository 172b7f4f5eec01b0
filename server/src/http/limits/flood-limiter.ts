import { type Clock, MINUTE } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';

/** The name of this limit in the metrics. */
export const REQUESTS_WITHOUT_LOGIN = 'requests-without-login';

const MAX_REQUESTS_PER_MINUTE = 3_000;

/**
 * Rejects requests without a login from addresses that send more than 3,000 of them a minute. This protects
 * the machine, so every instance counts in its own memory. The stricter `CredentialLimiter` protects secrets.
 */
export class FloodLimiter {
  readonly #clock: Clock;
  readonly #enabled: boolean;
  readonly #onRefused: (limit: string) => void;
  readonly #counts = new Map<string, number>();
  #windowEnd = 0;

  /** @param onRefused called with the name of this limit for each rejected request */
  constructor(clock: Clock, enabled: boolean, onRefused: (limit: string) => void = () => {}) {
    this.#clock = clock;
    this.#enabled = enabled;
    this.#onRefused = onRefused;
  }

  /**
   * @param key the client's address as `addressKeyOf` returns it
   * @throws Failure `too-many`
   */
  count(key: string): void {
    if (!this.#enabled) return;
    const now = this.#clock.now();
    if (now >= this.#windowEnd) {
      this.#counts.clear();
      this.#windowEnd = now + MINUTE;
    }
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    if (count <= MAX_REQUESTS_PER_MINUTE) return;
    this.#onRefused(REQUESTS_WITHOUT_LOGIN);
    throw new Failure('too-many', 'Too many requests from this address. Please wait a moment.', {
      retryAfterSeconds: Math.ceil((this.#windowEnd - now) / 1_000),
    });
  }
}
