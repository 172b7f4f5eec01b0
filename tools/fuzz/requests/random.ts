/**
 * Random decisions that a seed repeats. `odd-values.ts` uses fast-check for the values, but its generator is
 * made for whole values: the decisions of one request would take it a millisecond.
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 to `count - 1` (mulberry32). */
  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count);
  }

  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** @throws Error if the list is empty */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('There is nothing to pick from.');
    return list[this.below(list.length)] as T;
  }

  /** Letters and digits. */
  word(length = 8): string {
    return Array.from({ length }, () => this.pick([...'abcdefghjkmnpqrstuvwxyz23456789'])).join('');
  }

  bytes(length: number): Buffer<ArrayBuffer> {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}
