import { type Clock, type Instant, SECOND } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import { addressKeyOf } from '../base/network/address-key.ts';

const MIB = 1024 ** 2;
const MAX_BYTES_PER_PAYER = 64 * MIB;
/** Limits a flood from many addresses. Accounts do not count towards it, because they are invited. */
const MAX_BYTES_OF_ADDRESSES = 1024 * MIB;

/** The size of an empty row with its index entries. */
const ROW_BYTES = 500;

/** Whose budget is charged: the account's, or without a login the address's. */
export type Payer = { readonly accountId: number } | { readonly address: string };

/**
 * Limits how many bytes ONLINE sessions and their signals take: per account, per address without a login, and
 * for all addresses together. The window is as long as the lifetime of such a session. Counting requests
 * would not be enough, because one request may store a megabyte. Each instance counts in its own memory,
 * which is accurate enough to protect the disk.
 */
export class OnlineStorageBudget {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #enabled: boolean;
  readonly #usedBytes = new Map<string, number>();
  #usedBytesOfAddresses = 0;
  #windowEnd = 0;

  constructor(parts: { clock: Clock; onlineTransferTtlMs: number; rateLimits: boolean }) {
    this.#clock = parts.clock;
    this.#windowMs = parts.onlineTransferTtlMs;
    this.#enabled = parts.rateLimits;
  }

  /**
   * Charges the rows that `work` is about to store. If `work` fails, the charge is refunded.
   * @throws Failure `too-many` when the budget of the payer, or that of all addresses, is used up
   */
  async charge<T>(
    payer: Payer,
    { rows, textBytes }: { rows: number; textBytes: number },
    work: () => Promise<T>,
  ): Promise<T> {
    if (!this.#enabled) return await work();
    const bytes = rows * ROW_BYTES + textBytes;
    const windowEnd = this.#spend(payer, bytes);
    try {
      return await work();
    } catch (error) {
      if (windowEnd === this.#windowEnd) this.#add(payer, -bytes);
      throw error;
    }
  }

  /** @returns the end of the window in which the bytes were charged */
  #spend(payer: Payer, bytes: number): Instant {
    const now = this.#clock.now();
    if (now >= this.#windowEnd) {
      this.#usedBytes.clear();
      this.#usedBytesOfAddresses = 0;
      this.#windowEnd = now + this.#windowMs;
    }
    const usedBytes = this.#usedBytes.get(keyOf(payer)) ?? 0;
    const isFlood = 'address' in payer && this.#usedBytesOfAddresses + bytes > MAX_BYTES_OF_ADDRESSES;
    if (isFlood || usedBytes + bytes > MAX_BYTES_PER_PAYER) {
      throw new Failure('too-many', 'There are too many transfers at the moment. Please wait a while.', {
        retryAfterSeconds: Math.ceil((this.#windowEnd - now) / SECOND),
      });
    }
    this.#add(payer, bytes);
    return this.#windowEnd;
  }

  #add(payer: Payer, bytes: number): void {
    const key = keyOf(payer);
    this.#usedBytes.set(key, (this.#usedBytes.get(key) ?? 0) + bytes);
    if ('address' in payer) this.#usedBytesOfAddresses += bytes;
  }
}

/** The keys cannot collide: no address key begins with `account`. */
function keyOf(payer: Payer): string {
  return 'address' in payer ? addressKeyOf(payer.address) : `account ${payer.accountId}`;
}
