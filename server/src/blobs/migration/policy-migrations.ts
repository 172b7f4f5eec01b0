import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database, Db, Tx } from '../../database/database.ts';
import type { Policies } from '../../policies/policies.ts';
import type { OnFault } from '../object-removal.ts';
import type { ObjectClaims } from '../sweep/orphans.ts';
import { type LockTask, MigrationCopies, migrationAbandoned, type PageSize } from './copies.ts';
import { removeLeftovers } from './leftovers.ts';
import {
  deleteMigration,
  endCopying,
  findActiveMigration,
  findClaimedKeys,
  findMigrationsToClean,
  insertMigration,
  type ObjectTotals,
  type PolicyMigration,
} from './queries.ts';
import { switchBatchToCopies } from './switch-queries.ts';

export type { ObjectTotals, PolicyMigration };

const SWITCH_BATCH = 1_000;

/**
 * Moves the blobs of one storage policy to another, in three steps:
 *
 * 1. Every object gets a copy under a new key, in pages. A row names the copy before its first byte is written, so that it
 *    is never lost sight of; the row says so when the copy was read again and is right. Whoever comes after a death goes
 *    on behind the last page. No blob has changed yet.
 * 2. One transaction lets all of them lie where their copies are.
 * 3. The old objects are removed after the grace time. Until then everybody who was told an old place finds it.
 *
 * Given up before the second step, the copies are removed instead. What is named by the rows is claimed: no sweep takes
 * it. What was stored after the first step began stays where it is. There is one at a time.
 */
export class PolicyMigrations {
  /** The first step. */
  readonly copies: MigrationCopies;
  readonly #database: Pick<Database, 'db' | 'transact'>;
  readonly #policies: Pick<Policies, 'getStore' | 'find'>;
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #onFault: OnFault;

  constructor(parts: {
    database: Pick<Database, 'db' | 'transact'>;
    policies: Pick<Policies, 'getStore' | 'find'>;
    clock: Clock;
    ids: Ids;
    /** How long old objects stay. */
    graceMs: number;
    onFault: OnFault;
    page?: PageSize;
  }) {
    this.#database = parts.database;
    this.#policies = parts.policies;
    this.#clock = parts.clock;
    this.#graceMs = parts.graceMs;
    this.#onFault = parts.onFault;
    this.copies = new MigrationCopies(parts);
  }

  /** The one that is under way. */
  findActive(db: Db): Promise<PolicyMigration | undefined> {
    return findActiveMigration(db);
  }

  /**
   * Begins it, or takes up what an earlier attempt of the task has begun.
   * @throws Failure `rejected` while another one is under way
   */
  async begin(
    plan: Pick<PolicyMigration, 'taskId' | 'sourcePolicyId' | 'targetPolicyId'>,
    lockTask: LockTask,
  ): Promise<PolicyMigration> {
    return await this.#database.transact(async (tx) => {
      await lockTask(tx);
      const standing = await findActiveMigration(tx);
      if (standing?.taskId === plan.taskId) return standing;
      const begun = standing ? undefined : await insertMigration(tx, plan, this.#clock.now());
      if (begun !== undefined) return begun;
      throw new Failure(
        'rejected',
        'Another migration of storage policies has not ended. One runs at a time.',
      );
    });
  }

  /**
   * Lets all blobs that were copied lie at the target, in one transaction together with the caller's end of it.
   * @param end gets what was moved
   * @throws Failure `rejected` when the target was disabled meanwhile, or this was given up
   */
  async switchToCopies(
    migration: PolicyMigration,
    signal: AbortSignal,
    end: (tx: Tx, moved: ObjectTotals) => Promise<void>,
  ): Promise<void> {
    await this.#database.transact(async (tx) => {
      const cleanAfter = this.#clock.now() + this.#graceMs;
      if (!(await endCopying(tx, migration.id, 'SWITCHED', cleanAfter))) throw migrationAbandoned();
      let moved = { objects: 0, bytes: 0 };
      for (let after = 0; ; ) {
        signal.throwIfAborted();
        const batch = await switchBatchToCopies(tx, migration, after, SWITCH_BATCH);
        if (batch === undefined) break;
        if (batch.differing !== undefined) {
          throw new Failure('rejected', `The bytes of the blob ${batch.differing} are not what was stored.`);
        }
        moved = add(moved, batch);
        after = batch.lastId;
      }
      // Asked last: who disables it from now on does so after the end.
      const target = await this.#policies.find(tx, migration.targetPolicyId);
      if (target?.isEnabled !== true)
        throw new Failure('rejected', 'The target policy was disabled meanwhile.');
      await end(tx, moved);
    });
  }

  /**
   * Gives it up: nothing of it counts any more, and its copies are left to remove. False when it has ended already.
   * @param mayStill is asked in the transaction; false lets it be
   */
  async abandon(taskId: number, mayStill: (tx: Tx) => Promise<boolean>): Promise<boolean> {
    return await this.#database.transact(async (tx) => {
      if (!(await mayStill(tx))) return false;
      const standing = await findActiveMigration(tx);
      if (standing?.taskId !== taskId) return false;
      return await endCopying(tx, standing.id, 'ABANDONED', this.#clock.now());
    });
  }

  /**
   * Removes what ended ones have left, once its time has come. What cannot be removed is told, and left for the next time.
   * Gives how many objects went. Fails only when the signal ends it, or the database is away.
   */
  async removeLeftovers(signal: AbortSignal): Promise<number> {
    let removed = 0;
    for (const migration of await findMigrationsToClean(this.#database.db, this.#clock.now())) {
      const getStore = (id: number) => this.#policies.getStore(id);
      const left = { ...migration, database: this.#database, getStore };
      removed += await removeLeftovers(left, { signal, onFault: this.#onFault });
      await this.#database.transact((tx) => deleteMigration(tx, migration.id));
    }
    return removed;
  }
}

/** The claims of all that are under way, or have left something. */
export const migrationClaims: ObjectClaims = {
  findClaimedKeys: findClaimedKeys,
  /** Rows go after their objects, or when a blob has taken them. */
  findOldest: async () => undefined,
};

function add(one: ObjectTotals, other: ObjectTotals): ObjectTotals {
  return { objects: one.objects + other.objects, bytes: one.bytes + other.bytes };
}
