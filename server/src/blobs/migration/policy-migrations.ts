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

interface PolicyMigrationsParts {
  readonly database: Pick<Database, 'db' | 'transact' | 'transactBySize' | 'readLong'>;
  readonly policies: Pick<Policies, 'getStore' | 'find'>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** How long old objects stay after the switch. */
  readonly graceMs: number;
  readonly onFault: OnFault;
  readonly page?: PageSize;
}

/**
 * Migrates the blobs of one storage policy to another, in three steps:
 *
 * 1. Every object is copied under a new key, in pages. A row records each copy before its first byte is
 *    written, so that no copy is ever lost, and is marked once the copy is verified. After a crash the next
 *    attempt resumes after the last page. No blob changes in this step.
 * 2. One transaction switches all blobs to their copies.
 * 3. The old objects are removed after the grace time. Until then, signed URLs of the old objects stay valid.
 *
 * If the migration is abandoned before the second step, the copies are removed instead. The recorded keys are
 * claimed, so no sweep removes them. Blobs that are stored after the first step began stay at the source. One
 * migration runs at a time.
 */
export class PolicyMigrations {
  /** The first step. */
  readonly copies: MigrationCopies;
  readonly #parts: PolicyMigrationsParts;

  constructor(parts: PolicyMigrationsParts) {
    this.#parts = parts;
    this.copies = new MigrationCopies(parts);
  }

  /** The migration that is copying, if any. */
  findActive(db: Db): Promise<PolicyMigration | undefined> {
    return findActiveMigration(db);
  }

  /**
   * Begins a migration, or resumes the one that an earlier attempt of the task began.
   * @throws Failure `rejected` while another migration runs
   */
  async begin(
    plan: Pick<PolicyMigration, 'taskId' | 'sourcePolicyId' | 'targetPolicyId'>,
    lockTask: LockTask,
  ): Promise<PolicyMigration> {
    return await this.#parts.database.transact(async (tx) => {
      await lockTask(tx);
      const active = await findActiveMigration(tx);
      if (active?.taskId === plan.taskId) return active;
      const begun = active ? undefined : await insertMigration(tx, plan, this.#parts.clock.now());
      if (begun !== undefined) return begun;
      throw new Failure(
        'rejected',
        'Another migration of storage policies is running. Only one can run at a time.',
      );
    });
  }

  /**
   * Switches all copied blobs to their copies, in one transaction together with `end`.
   * @param end called with the totals of the switched blobs, last in the transaction
   * @throws Failure `rejected` when the target was disabled or the migration abandoned meanwhile, or when a
   *   checksum that was recorded meanwhile differs from that of the copy
   */
  async switchToCopies(
    migration: PolicyMigration,
    signal: AbortSignal,
    end: (tx: Tx, switched: ObjectTotals) => Promise<void>,
  ): Promise<void> {
    // One transaction for all blobs, however many there are.
    const isLong = async () => true;
    await this.#parts.database.transactBySize(isLong, async (tx) => {
      const removeLeftoversAfter = this.#parts.clock.now() + this.#parts.graceMs;
      if (!(await endCopying(tx, migration.id, 'SWITCHED', removeLeftoversAfter))) throw migrationAbandoned();
      let switched = { objects: 0, bytes: 0 };
      for (let after = 0; ; ) {
        signal.throwIfAborted();
        const batch = await switchBatchToCopies(tx, migration, after, SWITCH_BATCH);
        if (batch === undefined) break;
        if (batch.differing !== undefined) {
          throw new Failure('rejected', `The bytes of the blob ${batch.differing} are not what was stored.`);
        }
        switched = addTotals(switched, batch);
        after = batch.lastId;
      }
      // Checked last: a change from now on takes effect after the migration.
      const target = await this.#parts.policies.find(tx, migration.targetPolicyId);
      if (target?.isEnabled !== true)
        throw new Failure('rejected', 'The target policy was disabled meanwhile.');
      await end(tx, switched);
    });
  }

  /**
   * Abandons the migration of a task, so that its copies can be removed. Returns false when it has ended
   * already.
   * @param mayAbandon called in the transaction; if it returns false, nothing happens
   */
  async abandon(taskId: number, mayAbandon: (tx: Tx) => Promise<boolean>): Promise<boolean> {
    return await this.#parts.database.transact(async (tx) => {
      if (!(await mayAbandon(tx))) return false;
      const active = await findActiveMigration(tx);
      if (active?.taskId !== taskId) return false;
      return await endCopying(tx, active.id, 'ABANDONED', this.#parts.clock.now());
    });
  }

  /**
   * Removes the objects that ended migrations left, once their grace time has passed. An object that cannot
   * be removed is reported and tried again the next time. Returns the number of removed objects.
   * @throws only the reason of the signal, and database errors
   */
  async removeLeftovers(signal: AbortSignal): Promise<number> {
    let removed = 0;
    for (const migration of await findMigrationsToClean(this.#parts.database.db, this.#parts.clock.now())) {
      const getStore = (id: number) => this.#parts.policies.getStore(id);
      const left = { ...migration, database: this.#parts.database, getStore };
      removed += await removeLeftovers(left, { signal, onFault: this.#parts.onFault });
      await this.#parts.database.transact((tx) => deleteMigration(tx, migration.id));
    }
    return removed;
  }
}

/** The claims of running migrations, and of ended ones with objects that are not removed yet. */
export const migrationClaims: ObjectClaims = {
  findClaimedKeys: findClaimedKeys,
  /** No claim leaves its object behind: a row is deleted after its objects are removed, or are blobs. */
  findOldest: async () => undefined,
};

function addTotals(one: ObjectTotals, other: ObjectTotals): ObjectTotals {
  return { objects: one.objects + other.objects, bytes: one.bytes + other.bytes };
}
