import type { Clock, Instant } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Page, PageRequest } from '../../base/page.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import type { Policies, StoragePolicy } from '../../policies/policies.ts';
import { type Task, type Tasks, toPublicState, toTaskRecord } from '../../tasks/tasks.ts';
import type { AuditedActions } from '../audited-actions.ts';
import { sortByIds } from '../lists/newest-first.ts';
import { type OwningDrive, toOwnedItems } from '../lists/owner-queries.ts';
import { isLargeTable } from '../lists/size-queries.ts';
import type { AdminTask, LeaseState } from './contract.ts';
import { findTaskIds, type TaskFilter } from './queries.ts';

interface MigrationRequest {
  readonly sourcePolicyId: number;
  readonly targetPolicyId: number;
  readonly correlationId: string | null;
}

interface AdminTasksParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly policies: Policies;
  readonly tasks: Tasks;
  readonly actions: AuditedActions;
}

/** The background tasks of all drives, and policy migrations, which only administrators create. */
export class AdminTasks {
  readonly #parts: AdminTasksParts;

  constructor(parts: AdminTasksParts) {
    this.#parts = parts;
  }

  async list(filter: TaskFilter, page: PageRequest): Promise<Page<AdminTask>> {
    const { db } = this.#parts.database;
    const now = this.#parts.clock.now();
    const { ids, total } = await this.#parts.database.readBySize(isLargeTable('task'), (reading) =>
      findTaskIds(reading, filter, page, now),
    );
    const items = await this.#toAdminTasks(sortByIds(ids, await this.#parts.tasks.findAny(db, ids)), now);
    return { items, total, page: page.page, size: page.size };
  }

  /** @throws Failure `not-found` */
  async get(id: number): Promise<AdminTask> {
    const task = await this.#parts.tasks.getAny(this.#parts.database.db, id);
    const [adminTask] = await this.#toAdminTasks([task], this.#parts.clock.now());
    if (adminTask === undefined) throw new Error(`The task ${id} has no drive.`);
    return adminTask;
  }

  /**
   * Creates a task that migrates the objects of one policy to another, or returns the caller's existing task
   * with this correlation id.
   * @throws Failure `rejected` if both policies are the same or the target is disabled; `not-found`
   */
  async migrate(caller: Caller, request: MigrationRequest): Promise<Task> {
    const { sourcePolicyId, targetPolicyId, correlationId } = request;
    if (sourcePolicyId === targetPolicyId) {
      throw new Failure('rejected', 'Source and target are the same storage policy.');
    }
    return await this.#parts.actions.perform(caller, async (tx) => {
      // The task is added before the policies are checked: a repeated request gets its task even if a policy
      // has changed since. If a new task fails the check, the transaction is rolled back.
      const { task: result, isNew } = await this.#parts.tasks.addMigration(tx, {
        ...{ driveId: caller.driveId, accountId: caller.accountId },
        correlationId,
        input: { sourcePolicyId, targetPolicyId },
      });
      if (!isNew) return { result, entry: undefined };
      const { source, target } = await this.#checkPolicies(tx, request);
      const entry = {
        action: 'CREATE_MIGRATION',
        targetType: 'TASK',
        targetId: result.id,
        target: `${source.name} to ${target.name}`,
        summary: `Started the migration of all objects of ${source.name} to ${target.name}.`,
        details: { sourcePolicyId, targetPolicyId, correlationId },
      } as const;
      return { result, entry };
    });
  }

  async #checkPolicies(tx: Tx, { sourcePolicyId, targetPolicyId }: MigrationRequest) {
    const source = await this.#parts.policies.find(tx, sourcePolicyId);
    if (source === undefined) throw new Failure('not-found', 'There is no such source policy.');
    // Locked, so that a concurrent request cannot disable the target before this transaction commits.
    const target: StoragePolicy = await this.#parts.policies.changes.lock(tx, targetPolicyId);
    if (!target.isEnabled) throw new Failure('rejected', 'The target policy is disabled.');
    return { source, target };
  }

  #toAdminTasks(tasks: readonly Task[], now: Instant): Promise<readonly AdminTask[]> {
    return toOwnedItems(
      this.#parts.database.db,
      tasks,
      (task) => task.driveId,
      (task, drive) => toAdminTask(task, drive, now),
    );
  }
}

function toAdminTask(task: Task, drive: OwningDrive, now: Instant): AdminTask {
  return {
    ...toTaskRecord(task),
    ...drive,
    attemptCount: task.attemptCount,
    maxAttempts: task.maxAttempts,
    retryScheduled: toPublicState(task).retryScheduled === true,
    workerOwner: task.run?.worker ?? null,
    leaseState: toLeaseState(task, now),
  };
}

/** A task whose lease has expired is requeued by any instance within a minute. */
function toLeaseState({ run }: Task, now: Instant): LeaseState {
  if (run === undefined) return 'NONE';
  return run.leaseExpiresAt > now ? 'ACTIVE' : 'EXPIRED';
}
