import { Failure } from '../../base/failure.ts';
import type { ObjectTotals, PolicyMigration, PolicyMigrations, StoreOwnership } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import { maxObjectBytesOf, type Policies, type StoragePolicy } from '../../policies/policies.ts';
import { type Attempt, type Job, JobFailure, type JsonObject } from '../engine/job.ts';
import { findEndedTasks } from '../queries.ts';

interface MigrationJobParts {
  readonly database: Pick<Database, 'db'>;
  readonly policies: Pick<Policies, 'find' | 'getDefault' | 'invalidateCache'>;
  readonly storeOwnership: Pick<StoreOwnership, 'claim'>;
  readonly policyMigrations: PolicyMigrations;
  /** Tests replace this query if their tasks have no rows. */
  readonly findEndedTasks?: typeof findEndedTasks;
}

/**
 * Migrates all objects of one storage policy to another. `PolicyMigrations` implements the steps. This job
 * checks whether they are allowed, and cleans up when an attempt does not complete:
 *
 * - If the attempt fails, the copies are removed. Records and old objects stay unchanged.
 * - If the task was cancelled, the migration is abandoned immediately, and the copies are removed in the
 *   background.
 * - If the attempt was interrupted or this instance stops, everything stays, and the next attempt resumes.
 */
export class MigrationJob implements Job {
  readonly type = 'STORAGE_POLICY_MIGRATION';
  readonly phase = 'migrating';
  readonly #parts: MigrationJobParts;
  #onLeftovers: () => void = () => {};
  readonly #findEndedTasks: typeof findEndedTasks;

  constructor(parts: MigrationJobParts) {
    this.#parts = parts;
    this.#findEndedTasks = parts.findEndedTasks ?? findEndedTasks;
  }

  /**
   * Sets the hook that is called when an attempt leaves work for {@link removeLeftovers}. The hook must not
   * throw.
   */
  onLeftovers(hook: () => void): void {
    this.#onLeftovers = hook;
  }

  async run(attempt: Attempt): Promise<void> {
    const plan = readPlan(attempt.input);
    try {
      await this.#migrate(attempt, plan);
    } catch (error) {
      if (attempt.signal.aborted) await this.#abandonAborted(attempt.taskId);
      else await this.#abandonFailed(attempt);
      throw toJobFailure(error);
    }
  }

  /**
   * Removes leftovers of migrations: old objects after the grace time, and copies of abandoned migrations. If
   * the task of the active migration has ended, abandons that migration first.
   * @throws the reason of the signal
   */
  async removeLeftovers(signal: AbortSignal): Promise<void> {
    const active = await this.#parts.policyMigrations.findActive(this.#parts.database.db);
    if (active !== undefined) await this.#abandonIfTaskEnded(active.taskId);
    await this.#parts.policyMigrations.removeLeftovers(signal);
  }

  async #migrate(attempt: Attempt, plan: Plan): Promise<void> {
    const { taskId, signal } = attempt;
    const target = await this.#checkPlan(plan);
    const active = await this.#parts.policyMigrations.findActive(this.#parts.database.db);
    if (active !== undefined && active.taskId !== taskId) await this.#abandonIfTaskEnded(active.taskId);
    const lockTask = attempt.lock.bind(attempt);
    const migration = await this.#parts.policyMigrations.begin({ ...plan, taskId }, lockTask);
    // From now on the locations of both policies cannot change, but the cached locations may be outdated.
    this.#parts.policies.invalidateCache();
    await this.#parts.storeOwnership.claim(plan.sourcePolicyId);
    await this.#parts.storeOwnership.claim(plan.targetPolicyId);
    const copied = await this.#parts.policyMigrations.copies.resume(migration, { lockTask, signal });
    const left = await this.#parts.policyMigrations.copies.countLeft(migration, copied.lastId, signal);
    if (left.largest > maxObjectBytesOf(target)) {
      throw new Failure(
        'rejected',
        `An object of ${left.largest} bytes is larger than the target policy accepts.`,
      );
    }
    await this.#copyAll(attempt, migration, new Progress(attempt, plan, copied, left), copied.lastId);
    await this.#parts.policyMigrations.switchToCopies(migration, signal, (tx, migrated) =>
      attempt.complete(tx, toPublicMembers(plan, migrated, migrated)),
    );
  }

  async #copyAll(
    attempt: Attempt,
    migration: PolicyMigration,
    progress: Progress,
    afterId: number,
  ): Promise<void> {
    const options = {
      lockTask: attempt.lock.bind(attempt),
      signal: attempt.signal,
      onBytes: (count: number) => progress.addBytes(count),
    };
    for (let after = afterId; ; ) {
      attempt.signal.throwIfAborted();
      await this.#checkEnabled(migration);
      const page = await this.#parts.policyMigrations.copies.copyPage(migration, after, options);
      if (page === undefined) return;
      after = page.lastId;
      progress.addPage(page);
    }
  }

  /**
   * @throws JobFailure if the plan can never be carried out; Failure `rejected` if it cannot be carried out
   *   now
   */
  async #checkPlan({ sourcePolicyId, targetPolicyId }: Plan): Promise<StoragePolicy> {
    if (sourcePolicyId === targetPolicyId) {
      throw new JobFailure('UNSUPPORTED_INPUT', 'Source and target are the same storage policy.');
    }
    const standard = await this.#parts.policies.getDefault();
    const source = await this.#getPolicy(sourcePolicyId);
    const target = await this.#getPolicy(targetPolicyId);
    for (const policy of [source, target]) {
      if (policy.type === standard.type) continue;
      throw new JobFailure(
        'UNSUPPORTED_INPUT',
        `The storage policy ${policy.id} is ${policy.type}, but this service uses ${standard.type}.`,
      );
    }
    await this.#checkEnabled({ targetPolicyId });
    return target;
  }

  async #getPolicy(policyId: number): Promise<StoragePolicy> {
    const policy = await this.#parts.policies.find(this.#parts.database.db, policyId);
    if (policy !== undefined) return policy;
    throw new JobFailure('UNSUPPORTED_INPUT', `There is no storage policy ${policyId}.`);
  }

  async #checkEnabled({ targetPolicyId }: Pick<Plan, 'targetPolicyId'>): Promise<void> {
    const { isEnabled } = await this.#getPolicy(targetPolicyId);
    if (!isEnabled) throw new Failure('rejected', 'The target policy is disabled.');
  }

  /**
   * Abandons the migration of a failed attempt and removes its copies, unless the attempt has lost its task.
   */
  async #abandonFailed(attempt: Attempt): Promise<void> {
    try {
      const isAbandoned = await this.#parts.policyMigrations.abandon(attempt.taskId, async (tx) => {
        await attempt.lock(tx);
        return true;
      });
      if (isAbandoned) await this.#parts.policyMigrations.removeLeftovers(attempt.signal);
    } catch {
      // The caller throws the error of the attempt. The background job removes what is left.
      this.#onLeftovers();
    }
  }

  /**
   * Abandons the migration of an aborted attempt if its task has ended; otherwise another attempt resumes it.
   */
  async #abandonAborted(taskId: number): Promise<void> {
    try {
      await this.#abandonIfTaskEnded(taskId);
    } catch {
      // The background job tries again.
    }
    this.#onLeftovers();
  }

  async #abandonIfTaskEnded(taskId: number): Promise<void> {
    await this.#parts.policyMigrations.abandon(taskId, async (tx) => {
      const ended = await this.#findEndedTasks(tx, [taskId]);
      return ended.length > 0;
    });
  }
}

interface Plan {
  readonly sourcePolicyId: number;
  readonly targetPolicyId: number;
}

function readPlan({ sourcePolicyId, targetPolicyId }: JsonObject): Plan {
  if (typeof sourcePolicyId === 'number' && typeof targetPolicyId === 'number') {
    return { sourcePolicyId, targetPolicyId };
  }
  throw new JobFailure(
    'UNSUPPORTED_INPUT',
    'The input of a migration must name its source and target policy.',
  );
}

function toJobFailure(error: unknown): unknown {
  if (!(error instanceof Failure && error.kind === 'rejected')) return error;
  return new JobFailure('DATA_STATE', error.message, { cause: error });
}

/** Reports progress: objects once their copies are verified, bytes while they are copied. */
class Progress {
  readonly #attempt: Attempt;
  readonly #plan: Plan;
  #done: ObjectTotals;
  #total: ObjectTotals;

  constructor(attempt: Attempt, plan: Plan, done: ObjectTotals, left: ObjectTotals) {
    this.#attempt = attempt;
    this.#plan = plan;
    this.#done = { objects: done.objects, bytes: done.bytes };
    this.#total = { objects: done.objects + left.objects, bytes: done.bytes + left.bytes };
    this.#report();
  }

  addBytes(count: number): void {
    this.#done = { ...this.#done, bytes: this.#done.bytes + count };
    this.#report();
  }

  addPage({ copied, gone }: { readonly copied: ObjectTotals; readonly gone: ObjectTotals }): void {
    this.#done = { ...this.#done, objects: this.#done.objects + copied.objects };
    this.#total = {
      objects: this.#total.objects - gone.objects,
      bytes: this.#total.bytes - gone.bytes,
    };
    this.#report();
  }

  /**
   * Reports at most 99 percent, because the migration is complete only once the blobs refer to the copies.
   */
  #report(): void {
    const members = toPublicMembers(this.#plan, this.#done, this.#total);
    this.#attempt.report({ ...members, progressPercent: Math.min(99, percentOf(this.#done, this.#total)) });
  }
}

function toPublicMembers(plan: Plan, done: ObjectTotals, total: ObjectTotals): JsonObject {
  return {
    sourcePolicyId: plan.sourcePolicyId,
    targetPolicyId: plan.targetPolicyId,
    processedObjectCount: done.objects,
    totalObjectCount: total.objects,
    processedBytes: done.bytes,
    totalBytes: total.bytes,
    progressPercent: percentOf(done, total),
  };
}

/** A whole percentage, rounded down. */
function percentOf(done: ObjectTotals, total: ObjectTotals): number {
  if (total.bytes > 0) return Math.max(0, Math.min(100, Math.floor((100 * done.bytes) / total.bytes)));
  return total.objects > 0 ? Math.min(100, Math.floor((100 * done.objects) / total.objects)) : 100;
}
