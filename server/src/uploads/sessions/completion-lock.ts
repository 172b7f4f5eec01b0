import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../../base/clock.ts';
import { KeyedMutex } from '../../base/concurrency/keyed-mutex.ts';
import type { Leases } from '../../leases/leases.ts';

/** After a crash, the next completion waits this long. */
const LEASE_MS = 5 * SECOND;
const RETRY_MS = 100;

/**
 * Serializes concurrent completions of one session, on this instance and across instances. If two requests
 * join the same parts at the same time, stores return errors that say nothing about the parts.
 *
 * Correctness must not depend on this lock, because a lease can be lost. The conditional updates guarantee
 * it.
 */
export class CompletionLock {
  readonly #leases: Leases;
  readonly #mutex = new KeyedMutex<string>();

  constructor(leases: Leases) {
    this.#leases = leases;
  }

  /** Runs `work` while no other completion of the session runs. Waits without a time limit. */
  async withLock<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
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
