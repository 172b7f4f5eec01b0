import type { Clock } from '../base/clock.ts';
import type { Database, Tx } from '../database/database.ts';
import { deleteExpiredRows } from '../database/expired-rows.ts';
import { acquireLease, lockLease, releaseLease } from './queries.ts';

/** Leases in the database. A lease ensures that only one instance at a time does a piece of work. */
export class Leases {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #holder: string;

  /** @param holder identifies this instance; unique among all running instances */
  constructor(database: Database, clock: Clock, holder: string) {
    this.#database = database;
    this.#clock = clock;
    this.#holder = holder;
  }

  /**
   * Does the work if no other instance holds the lease. The lease is extended by a timer until the work ends,
   * and then released. If the holder crashes, the lease expires after `ttlMs`.
   *
   * A holder that is paused for longer than `ttlMs` does not notice that it has lost the lease. Work that
   * must never overlap has to lock the lease in its own transactions ({@link NamedLease.lockIfHeld}).
   *
   * @returns whether the work was done
   */
  async runExclusively(name: string, ttlMs: number, work: () => Promise<void>): Promise<boolean> {
    if (!(await this.#acquire(name, ttlMs))) return false;
    let extending: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      extending = Promise.all([extending, this.#acquire(name, ttlMs).catch(() => undefined)]);
    }, ttlMs / 3);
    try {
      await work();
    } finally {
      clearInterval(timer);
      // Otherwise a running extension could acquire the lease again after its release.
      await extending;
      await this.#database.transact((tx) => releaseLease(tx, name, this.#holder));
    }
    return true;
  }

  /** Returns one lease, for code that need not know its name. */
  forName(name: string, ttlMs: number): NamedLease {
    return {
      runExclusively: (work) => this.runExclusively(name, ttlMs, work),
      lockIfHeld: (tx) => lockLease(tx, name, this.#holder),
    };
  }

  /** Deletes expired leases of crashed instances, in batches. Stops when the signal aborts. */
  deleteExpired(signal: AbortSignal): Promise<void> {
    return deleteExpiredRows(this.#database, 'lease', this.#clock.now(), signal);
  }

  #acquire(name: string, ttlMs: number): Promise<boolean> {
    const now = this.#clock.now();
    return this.#database.transact((tx) =>
      acquireLease(tx, { name, holder: this.#holder, now, expiresAt: now + ttlMs }),
    );
  }
}

/** A single lease of this instance. */
export interface NamedLease {
  /** Does the work if no other instance holds the lease. Returns whether the work was done. */
  runExclusively(work: () => Promise<void>): Promise<boolean>;
  /**
   * Returns whether this instance still holds the lease. If so, no one else can acquire it until the
   * transaction ends.
   */
  lockIfHeld(tx: Tx): Promise<boolean>;
}
