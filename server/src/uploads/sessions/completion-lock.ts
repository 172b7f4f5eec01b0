import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../../base/clock.ts';
import { KeyedMutex } from '../../base/concurrency/keyed-mutex.ts';
import type { Leases } from '../../leases/leases.ts';

const LEASE_MS = 30 * SECOND;
const RETRY_MS = 100;

/**
 * Lets one of those who complete a session at once work at it, here and on all instances; the others wait, and then find
 * what it has done. Stores answer two who join the same parts in ways that say nothing about the parts.
 *
 * It spares confusion and holds nothing by itself: a lease can be lost. What must hold is in the conditional updates.
 */
export class CompletionLock {
  readonly #leases: Leases;
  readonly #mutex = new KeyedMutex<string>();

  constructor(leases: Leases) {
    this.#leases = leases;
  }

  async run<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    const release = await this.#mutex.acquire(sessionId);
    try {
      for (;;) {
        let result: { readonly value: T } | undefined;
        await this.#leases.runExclusively(`complete ${sessionId}`, LEASE_MS, async () => {
          result = { value: await work() };
        });
        if (result !== undefined) return result.value;
        await sleep(RETRY_MS);
      }
    } finally {
      release();
    }
  }
}
