import { type Clock, type Instant, SECOND } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import { addressKeyOf } from '../base/network/address-key.ts';

const MIB = 1024 ** 2;
const MAX_PER_KEY = 64 * MIB;
/** Whoever comes from many addresses at once fills no disk either. */
const MAX_TOTAL = 1024 * MIB;

/** What a row takes with its keys, whatever is in it. */
const ROW_BYTES = 500;

/**
 * Bounds what people without a login have us keep: by address and in all, in the time that an ONLINE session lives.
 * Calls alone do not tell: each may bring a megabyte. Counted in memory by each instance, as floods are: this protects the
 * disk, not a secret.
 */
export class AnonymousStorageBudget {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #enabled: boolean;
  readonly #taken = new Map<string, number>();
  #takenInAll = 0;
  #windowEnd = 0;

  constructor(parts: { clock: Clock; onlineTransferTtlMs: number; rateLimits: boolean }) {
    this.#clock = parts.clock;
    this.#windowMs = parts.onlineTransferTtlMs;
    this.#enabled = parts.rateLimits;
  }

  /**
   * Counts rows, and their text, that `work` is about to keep; what it does not keep since it fails does not count.
   * @param address undefined for those with a login, who are not limited
   * @throws Failure `too-many`
   */
  async charge<T>(
    address: string | undefined,
    { rows, textBytes }: { rows: number; textBytes: number },
    work: () => Promise<T>,
  ): Promise<T> {
    if (!this.#enabled || address === undefined) return await work();
    const key = addressKeyOf(address);
    const bytes = rows * ROW_BYTES + textBytes;
    const windowEnd = this.#take(key, bytes);
    try {
      return await work();
    } catch (error) {
      if (windowEnd === this.#windowEnd) this.#add(key, -bytes);
      throw error;
    }
  }

  /** Gives the end of the window in which they count. */
  #take(key: string, bytes: number): Instant {
    const now = this.#clock.now();
    if (now >= this.#windowEnd) {
      this.#taken.clear();
      this.#takenInAll = 0;
      this.#windowEnd = now + this.#windowMs;
    }
    if ((this.#taken.get(key) ?? 0) + bytes > MAX_PER_KEY || this.#takenInAll + bytes > MAX_TOTAL) {
      throw new Failure('too-many', 'Too much is on its way without a login. Please wait a while.', {
        retryAfterSeconds: Math.ceil((this.#windowEnd - now) / SECOND),
      });
    }
    this.#add(key, bytes);
    return this.#windowEnd;
  }

  #add(key: string, bytes: number): void {
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + bytes);
    this.#takenInAll += bytes;
  }
}
