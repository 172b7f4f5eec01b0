import { type Clock, type Instant, SECOND } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import { addressKeyOf } from '../base/network/address-key.ts';

const MIB = 1024 ** 2;
const MAX_BYTES_PER_ADDRESS = 64 * MIB;
/** Limits a flood from many addresses. */
const MAX_BYTES_TOTAL = 1024 * MIB;

/** Size of an empty row with its index entries. */
const ROW_BYTES = 500;

/**
 * Limits how many bytes callers without a login may store: per address and in total, in a window as long as
 * the lifetime of an ONLINE session. Counting requests would not be enough, because one request may store a
 * megabyte. Each instance counts in its own memory, which is accurate enough to protect the disk.
 */
export class AnonymousStorageBudget {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #enabled: boolean;
  readonly #usedBytes = new Map<string, number>();
  #usedBytesTotal = 0;
  #windowEnd = 0;

  constructor(parts: { clock: Clock; onlineTransferTtlMs: number; rateLimits: boolean }) {
    this.#clock = parts.clock;
    this.#windowMs = parts.onlineTransferTtlMs;
    this.#enabled = parts.rateLimits;
  }

  /**
   * Charges the rows that `work` is about to store. If `work` fails, the charge is refunded.
   * @param address undefined for callers with a login, who are not limited
   * @throws Failure `too-many` when the budget of the address, or the total, is used up
   */
  async charge<T>(
    address: string | undefined,
    { rows, textBytes }: { rows: number; textBytes: number },
    work: () => Promise<T>,
  ): Promise<T> {
    if (!this.#enabled || address === undefined) return await work();
    const key = addressKeyOf(address);
    const bytes = rows * ROW_BYTES + textBytes;
    const windowEnd = this.#spend(key, bytes);
    try {
      return await work();
    } catch (error) {
      if (windowEnd === this.#windowEnd) this.#add(key, -bytes);
      throw error;
    }
  }

  /** @returns the end of the window in which the bytes are charged */
  #spend(key: string, bytes: number): Instant {
    const now = this.#clock.now();
    if (now >= this.#windowEnd) {
      this.#usedBytes.clear();
      this.#usedBytesTotal = 0;
      this.#windowEnd = now + this.#windowMs;
    }
    const usedBytes = this.#usedBytes.get(key) ?? 0;
    if (usedBytes + bytes > MAX_BYTES_PER_ADDRESS || this.#usedBytesTotal + bytes > MAX_BYTES_TOTAL) {
      throw new Failure('too-many', 'There are too many transfers without a login. Please wait a while.', {
        retryAfterSeconds: Math.ceil((this.#windowEnd - now) / SECOND),
      });
    }
    this.#add(key, bytes);
    return this.#windowEnd;
  }

  #add(key: string, bytes: number): void {
    this.#usedBytes.set(key, (this.#usedBytes.get(key) ?? 0) + bytes);
    this.#usedBytesTotal += bytes;
  }
}
