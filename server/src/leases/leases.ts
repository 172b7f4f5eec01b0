import type { Clock } from '../base/clock.ts';
import type { Database, Tx } from '../database/database.ts';
import { acquireLease, deleteExpiredLeases, lockLease, releaseLease } from './queries.ts';

/** Lets one instance at a time do a thing. */
export class Leases {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #holder: string;

  /** @param holder names this instance; unique among all that run */
  constructor(database: Database, clock: Clock, holder: string) {
    this.#database = database;
    this.#clock = clock;
    this.#holder = holder;
  }

  /**
   * Does the work if no other instance is at it, and holds the lease (prolonged by a timer) until it ends. A holder
   * that dies is replaced after `ttlMs`. Work that must not overlap in any case checks at its own writes.
   *
   * @returns whether the work was done here
   */
  async runExclusively(name: string, ttlMs: number, work: () => Promise<void>): Promise<boolean> {
    if (!(await this.#take(name, ttlMs))) return false;
    let prolonging: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      prolonging = Promise.all([prolonging, this.#take(name, ttlMs).catch(() => undefined)]);
    }, ttlMs / 3);
    try {
      await work();
    } finally {
      clearInterval(timer);
      // One that is under way would take the lease once more after it was given back.
      await prolonging;
      await this.#database.transact((tx) => releaseLease(tx, name, this.#holder));
    }
    return true;
  }

  /** The same for one name, as something to hand to others. */
  forName(name: string, ttlMs: number): NamedLease {
    return {
      runExclusively: (work) => this.runExclusively(name, ttlMs, work),
      lockIfHeld: (tx) => lockLease(tx, name, this.#holder),
    };
  }

  /** Forgets what instances held that have died. */
  deleteExpired(): Promise<void> {
    return this.#database.transact((tx) => deleteExpiredLeases(tx, this.#clock.now()));
  }

  #take(name: string, ttlMs: number): Promise<boolean> {
    const now = this.#clock.now();
    return this.#database.transact((tx) =>
      acquireLease(tx, { name, holder: this.#holder, now, expiresAt: now + ttlMs }),
    );
  }
}

/** Doing a thing alone, for those who need not know what else is done under the lease. */
export interface NamedLease {
  /** Does the work if nobody else is at it; gives whether. */
  runExclusively(work: () => Promise<void>): Promise<boolean>;
  /** Whether the turn is still ours, which it then stays until the transaction ends. */
  lockIfHeld(tx: Tx): Promise<boolean>;
}
