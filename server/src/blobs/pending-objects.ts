import { type Clock, DAY, type Instant } from '../base/clock.ts';
import type { ObjectClaims } from './sweep/orphans.ts';

/** No upload runs longer. Only the keys of callers that failed between write and record stay this long. */
const MAX_PENDING_MS = 3 * DAY;

/**
 * The objects that this instance writes, from before their first byte until a blob records them. The sweeper
 * of this instance leaves them alone, however short its grace time is. Other instances and commands do not
 * know them. They record what they remove, so the upload of a removed object fails instead.
 */
export class PendingObjects implements ObjectClaims {
  readonly #clock: Clock;
  readonly #graceMs: number;
  /** When each write began, in this order. */
  readonly #begunAt = new Map<string, Instant>();

  /** @param graceMs the grace time of sweeps, on all instances */
  constructor(clock: Clock, graceMs: number) {
    this.#clock = clock;
    this.#graceMs = graceMs;
  }

  begin(key: string): void {
    const now = this.#clock.now();
    this.#begunAt.delete(key);
    this.#begunAt.set(key, now);
    for (const [oldest, begunAt] of this.#begunAt) {
      if (begunAt > now - MAX_PENDING_MS) return;
      this.#begunAt.delete(oldest);
    }
  }

  end(keys: readonly string[]): void {
    for (const key of keys) this.#begunAt.delete(key);
  }

  /** The keys that another instance may take for orphans. Half of the grace time is left for the commit. */
  findOld(keys: readonly string[]): readonly string[] {
    const before = this.#clock.now() - this.#graceMs / 2;
    return keys.filter((key) => (this.#begunAt.get(key) ?? before + 1) <= before);
  }

  async findClaimedKeys(_db: unknown, keys: readonly string[]): Promise<readonly string[]> {
    return keys.filter((key) => this.#begunAt.has(key));
  }

  /** Sweeps return to the days of the longest uploads anyway. */
  async findOldest(): Promise<undefined> {
    return undefined;
  }
}
