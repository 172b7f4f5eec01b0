import { Failure } from '../../base/failure.ts';
import type { ObjectTotals, PolicyMigration, PolicyMigrations, StoreOwnership } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import { maxObjectBytesOf, type Policies, type StoragePolicy } from '../../policies/policies.ts';
import { type Attempt, type Job, JobFailure, type JsonObject } from '../engine/job.ts';
import { findEndedTasks } from '../queries.ts';

/**
 * Moves all objects of one storage policy to another (contract, section 7). The steps are those of `PolicyMigrations`; this
 * says when they may be taken, and what becomes of them when the attempt ends otherwise:
 *
 * - it fails: copies are removed, and records and old objects are as they were;
 * - the task was cancelled: it is given up at once, and the copies are removed behind its back;
 * - it was cut off, or this instance stops: everything stays for the next attempt, which goes on there.
 */
export class MigrationJob implements Job {
  readonly type = 'STORAGE_POLICY_MIGRATION';
  readonly phase = 'migrating';
  readonly #database: Pick<Database, 'db'>;
  readonly #policies: Pick<Policies, 'find' | 'getDefault' | 'invalidateCache'>;
  readonly #storeOwnership: Pick<StoreOwnership, 'claim'>;
  readonly #policyMigrations: PolicyMigrations;
  #onLeftovers: () => void = () => {};
  readonly #findEndedTasks: typeof findEndedTasks;

  constructor(parts: {
    database: Pick<Database, 'db'>;
    policies: Pick<Policies, 'find' | 'getDefault' | 'invalidateCache'>;
    storeOwnership: Pick<StoreOwnership, 'claim'>;
    policyMigrations: PolicyMigrations;
    /** Replaced by tests whose tasks have no rows. */
    findEndedTasks?: typeof findEndedTasks;
  }) {
    this.#database = parts.database;
    this.#policies = parts.policies;
    this.#storeOwnership = parts.storeOwnership;
    this.#policyMigrations = parts.policyMigrations;
    this.#findEndedTasks = parts.findEndedTasks ?? findEndedTasks;
  }

  /** Sets the hook that is called when an attempt leaves something for {@link removeLeftovers}. It must not throw. */
  onLeftovers(hook: () => void): void {
    this.#onLeftovers = hook;
  }

  async run(attempt: Attempt): Promise<void> {
    const plan = readPlan(attempt.input);
    try {
      await this.#move(attempt, plan);
    } catch (error) {
      if (attempt.signal.aborted) await this.#leave(attempt.taskId);
      else await this.#undo(attempt);
      throw toJobFailure(error);
    }
  }

  /**
   * Removes what migrations have left: old objects after the grace time, and the copies of those that will not go on.
   * @throws the reason of the signal
   */
  async removeLeftovers(signal: AbortSignal): Promise<void> {
    const standing = await this.#policyMigrations.findActive(this.#database.db);
    if (standing !== undefined) await this.#abandonEnded(standing.taskId);
    await this.#policyMigrations.removeLeftovers(signal);
  }

  async #move(attempt: Attempt, plan: Plan): Promise<void> {
    const { taskId, signal } = attempt;
    const target = await this.#check(plan);
    const standing = await this.#policyMigrations.findActive(this.#database.db);
    if (standing !== undefined && standing.taskId !== taskId) await this.#abandonEnded(standing.taskId);
    const lockTask = attempt.lock.bind(attempt);
    const migration = await this.#policyMigrations.begin({ ...plan, taskId }, lockTask);
    // From here on their places stay, but what is remembered of them may be older.
    this.#policies.invalidateCache();
    await this.#storeOwnership.claim(plan.sourcePolicyId);
    await this.#storeOwnership.claim(plan.targetPolicyId);
    const copied = await this.#policyMigrations.copies.resume(migration, { lockTask, signal });
    const left = await this.#policyMigrations.copies.countLeft(migration, copied.lastId, signal);
    if (left.largest > maxObjectBytesOf(target)) {
      throw new Failure(
        'rejected',
        `An object of ${left.largest} bytes is larger than the target policy takes.`,
      );
    }
    await this.#copyAll(attempt, migration, new Progress(attempt, plan, copied, left), copied.lastId);
    await this.#policyMigrations.switchToCopies(migration, signal, (tx, moved) =>
      attempt.complete(tx, membersOf(plan, moved, moved)),
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
      const page = await this.#policyMigrations.copies.copyPage(migration, after, options);
      if (page === undefined) return;
      after = page.lastId;
      progress.addPage(page);
    }
  }

  /** @throws JobFailure where it can never be done; Failure `rejected` where it cannot be done now */
  async #check({ sourcePolicyId, targetPolicyId }: Plan): Promise<StoragePolicy> {
    if (sourcePolicyId === targetPolicyId) {
      throw new JobFailure('UNSUPPORTED_INPUT', 'Source and target are the same storage policy.');
    }
    const active = await this.#policies.getDefault();
    const source = await this.#get(sourcePolicyId);
    const target = await this.#get(targetPolicyId);
    for (const policy of [source, target]) {
      if (policy.type === active.type) continue;
      throw new JobFailure(
        'UNSUPPORTED_INPUT',
        `The storage policy ${policy.id} is ${policy.type}, and this service runs on ${active.type}.`,
      );
    }
    await this.#checkEnabled({ targetPolicyId });
    return target;
  }

  async #get(policyId: number): Promise<StoragePolicy> {
    const policy = await this.#policies.find(this.#database.db, policyId);
    if (policy !== undefined) return policy;
    throw new JobFailure('UNSUPPORTED_INPUT', `There is no storage policy ${policyId}.`);
  }

  async #checkEnabled({ targetPolicyId }: Pick<Plan, 'targetPolicyId'>): Promise<void> {
    const { isEnabled } = await this.#get(targetPolicyId);
    if (!isEnabled) throw new Failure('rejected', 'The target policy is disabled.');
  }

  /** The attempt has failed. Whoever has lost the task meanwhile touches nothing. */
  async #undo(attempt: Attempt): Promise<void> {
    try {
      const isAbandoned = await this.#policyMigrations.abandon(attempt.taskId, async (tx) => {
        await attempt.lock(tx);
        return true;
      });
      if (isAbandoned) await this.#policyMigrations.removeLeftovers(attempt.signal);
    } catch {
      // Why the attempt failed is to be told, and tidying up begins anew.
      this.#onLeftovers();
    }
  }

  /** The attempt was ended from outside. Where the task is over nobody will go on. */
  async #leave(taskId: number): Promise<void> {
    try {
      await this.#abandonEnded(taskId);
    } catch {
      // As above.
    }
    this.#onLeftovers();
  }

  async #abandonEnded(taskId: number): Promise<void> {
    await this.#policyMigrations.abandon(taskId, async (tx) => {
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
  throw new JobFailure('UNSUPPORTED_INPUT', 'A migration names its source and its target policy.');
}

function toJobFailure(error: unknown): unknown {
  if (!(error instanceof Failure && error.kind === 'rejected')) return error;
  return new JobFailure('DATA_STATE', error.message, { cause: error });
}

/** Tells how far it has come: objects when they are safe, bytes while their copies are read. */
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
    this.#tell();
  }

  addBytes(count: number): void {
    this.#done = { ...this.#done, bytes: this.#done.bytes + count };
    this.#tell();
  }

  addPage({ copied, gone }: { readonly copied: ObjectTotals; readonly gone: ObjectTotals }): void {
    this.#done = { ...this.#done, objects: this.#done.objects + copied.objects };
    this.#total = {
      objects: this.#total.objects - gone.objects,
      bytes: this.#total.bytes - gone.bytes,
    };
    this.#tell();
  }

  /** All of it is not done before the blobs lie there. */
  #tell(): void {
    const members = membersOf(this.#plan, this.#done, this.#total);
    this.#attempt.report({ ...members, progressPercent: Math.min(99, percentOf(this.#done, this.#total)) });
  }
}

function membersOf(plan: Plan, done: ObjectTotals, total: ObjectTotals): JsonObject {
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

/** Whole percents, never rounded up. */
function percentOf(done: ObjectTotals, total: ObjectTotals): number {
  if (total.bytes > 0) return Math.max(0, Math.min(100, Math.floor((100 * done.bytes) / total.bytes)));
  return total.objects > 0 ? Math.min(100, Math.floor((100 * done.objects) / total.objects)) : 100;
}
