import { type Clock, DAY } from '../base/clock.ts';
import type { AccountInDrives } from '../base/domain/drives.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import type { Page, PageRequest } from '../base/page.ts';
import type { Database, Db, Tx } from '../database/database.ts';
import { deleteRowsOf } from '../database/owned-rows.ts';
import type { Drive, EntryWithPath } from '../drive/drive.ts';
import type { Drives, DriveUser, DuringDeletion } from '../drives/drives.ts';
import { isMediaType } from '../formats/media/media-types.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { type AddedTask, describeEntry, TaskCreation } from './creation.ts';
import type { Job } from './engine/job.ts';
import { taskKeyOf } from './engine/leased-attempt.ts';
import { type OnFault, QUEUE_KEY, Runner } from './engine/runner.ts';
import { noSuchTask, type Task } from './engine/task.ts';
import type { ArchiveListing } from './extract/archive-contents.ts';
import { isTold, tellFailed } from './failed-tasks.ts';
import {
  cancelTask,
  cancelTasksOf,
  countTasks,
  deleteTasksEndedBefore,
  failTasksOf,
  findOwnTask,
  findTask,
  findTasks,
  findTasksByIds,
  type NewTask,
  requeueTask,
} from './queries.ts';

export type { Attempt, Job, JsonObject } from './engine/job.ts';
export { toPublicState, toTaskRecord } from './task-record.ts';
export type { Task };

/** How long ended tasks are kept. */
const RETENTION_MS = 30 * DAY;
/** The maximum number of tasks that one statement ends or deletes. */
const BATCH = 500;
/** How many tasks of a former member are told, because all of them fail for the same reason. */
const MAX_TOLD = 20;

interface TasksParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly drive: Drive;
  readonly archives: ArchiveListing;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly notifications: Notifications;
  readonly jobs: readonly Job[];
  readonly workerConcurrency: number;
  readonly taskLeaseMs: number;
  readonly taskBackoffScale: number;
  readonly onFault: OnFault;
}

/** Background tasks: creates, lists, cancels and retries them, and runs them on this instance. */
export class Tasks {
  readonly archives: ArchiveListing;
  readonly creation: TaskCreation;
  /** Runs tasks on this instance, unless its worker concurrency is 0. */
  readonly runner: Runner;
  readonly #parts: TasksParts;

  constructor(parts: TasksParts) {
    this.#parts = parts;
    this.archives = parts.archives;
    this.creation = new TaskCreation(parts);
    this.runner = new Runner({
      ...parts,
      worker: parts.ids.uuid(),
      concurrency: parts.workerConcurrency,
      leaseMs: parts.taskLeaseMs,
      backoffScale: parts.taskBackoffScale,
      onFailed: (tx, failed) => tellFailed(parts.notifications, tx, failed),
    });
    parts.drive.entryEvents.onFilesAdded((tx, files) => this.#addMediaTasks(tx, files));
    parts.drive.entryEvents.onContentReplaced(async (tx, file, id) => {
      if (!isMediaType(file.entry.contentType)) return;
      await this.creation.renewMediaTask(tx, file.entry.id);
      await this.#addMediaTasks(tx, [file], `:${id}`);
    });
  }

  /**
   * Adds a policy migration in the caller's transaction, or returns the drive's existing task with this
   * correlation id.
   * @param input what to migrate; also shown in the public state
   */
  addMigration(
    tx: Tx,
    task: Pick<NewTask, 'driveId' | 'accountId' | 'correlationId' | 'input'>,
  ): Promise<AddedTask> {
    const type = 'STORAGE_POLICY_MIGRATION';
    return this.creation.add(tx, { ...task, type, entryId: null });
  }

  /** Gets a task of any drive. @throws Failure `not-found` */
  async getAny(db: Db, id: number): Promise<Task> {
    const task = await findTask(db, id);
    if (task === undefined) throw noSuchTask();
    return task;
  }

  /** Finds tasks of any drives, in no particular order. Unknown ids are left out. */
  findAny(db: Db, ids: readonly number[]): Promise<readonly Task[]> {
    return findTasksByIds(db, ids);
  }

  /** @throws Failure `not-found`, also for a task of another drive */
  async get(driveId: number, id: number): Promise<Task> {
    const task = await findOwnTask(this.#parts.database.db, driveId, id);
    if (task === undefined) throw noSuchTask();
    return task;
  }

  /** Lists the drive's tasks, newest first. */
  async list(driveId: number, page: PageRequest): Promise<Page<Task>> {
    const { db } = this.#parts.database;
    return {
      items: await findTasks(db, driveId, page),
      total: await countTasks(db, driveId),
      ...page,
    };
  }

  /**
   * Cancels a task, no matter who created it and on which instance it runs. A task that has ended stays
   * unchanged.
   * @throws Failure `not-found`; `forbidden` if the role of the account is too low
   */
  async cancel(user: DriveUser, id: number): Promise<Task> {
    const { driveId } = user;
    const cancelled = await this.#parts.drives.withRole(user, async (tx) => {
      const task = await cancelTask(tx, driveId, id, this.#parts.clock.now());
      if (task !== undefined) await this.#parts.database.notifyOnCommit(tx, taskKeyOf(id));
      return task;
    });
    return cancelled ?? (await this.get(driveId, id));
  }

  /**
   * Queues a FAILED task as if it were a new one of this account. If an unfinished task already reads the
   * metadata of the same file, returns that task instead.
   * @throws Failure `not-found`; `rejected` if it is not FAILED; `too-many` if the account has too many
   *   unfinished tasks; `forbidden` if its role is too low
   */
  async retry(user: DriveUser, id: number): Promise<Task> {
    const { driveId, accountId } = user;
    const failed = await this.get(driveId, id);
    // The drive is locked, so that no change of the file adds a metadata task meanwhile.
    const queued = await this.#parts.drives.withDriveLock(user, 0, async (tx) => {
      if (failed.status === 'FAILED') {
        const existing = await this.creation.lockPlace(tx, { ...failed, accountId });
        if (existing !== undefined) return existing;
      }
      const task = await requeueTask(tx, { id, driveId, accountId }, this.#parts.clock.now());
      if (task !== undefined) await this.#parts.database.notifyOnCommit(tx, QUEUE_KEY);
      return task;
    });
    if (queued !== undefined) return queued;
    const { status } = await this.get(driveId, id);
    throw new Failure('rejected', `Only a failed task can be retried. This one is ${status}.`);
  }

  /**
   * Deletes tasks that ended before the retention time, in batches. Stops between two batches if the signal
   * aborts.
   */
  async deleteExpired(signal: AbortSignal): Promise<void> {
    const before = this.#parts.clock.now() - RETENTION_MS;
    await this.#parts.database.transactInBatches(BATCH, signal, (tx, limit) =>
      deleteTasksEndedBefore(tx, before, limit),
    );
  }

  /** Cancels the unfinished tasks of a shared drive that was deleted. */
  async cancelAllIn(driveId: number, duringDeletion: DuringDeletion, signal: AbortSignal): Promise<void> {
    for (let count = BATCH; count === BATCH && !signal.aborted; ) {
      const ids = await duringDeletion((tx) => this.#cancelSome(tx, driveId, BATCH));
      count = ids.length;
    }
  }

  /**
   * Fails the unfinished tasks of an account in drives that it may no longer change. The transaction must have
   * locked the drives.
   */
  async failAllOf(tx: Tx, former: AccountInDrives): Promise<void> {
    const now = this.#parts.clock.now();
    const message = 'The account that started this task may no longer change the drive.';
    const told: Task[] = [];
    for (let count = BATCH; count === BATCH; ) {
      const failed = await failTasksOf(tx, former, { message, now, limit: BATCH });
      for (const { id } of failed) await this.#parts.database.notifyOnCommit(tx, taskKeyOf(id));
      told.push(...failed.filter(isTold).slice(0, MAX_TOLD - told.length));
      count = failed.length;
    }
    await tellFailed(this.#parts.notifications, tx, told);
  }

  /** Cancels the tasks of a drive that is being deleted, and deletes them. */
  async deleteAllOf(driveId: number, signal: AbortSignal): Promise<void> {
    await this.#parts.database.transactInBatches(
      BATCH,
      signal,
      async (tx, limit) => (await this.#cancelSome(tx, driveId, limit)).length,
    );
    await deleteRowsOf(this.#parts.database, 'task', driveId, signal);
  }

  async #cancelSome(tx: Tx, driveId: number, limit: number): Promise<readonly number[]> {
    const ids = await cancelTasksOf(tx, driveId, { now: this.#parts.clock.now(), limit });
    for (const id of ids) await this.#parts.database.notifyOnCommit(tx, taskKeyOf(id));
    return ids;
  }

  /**
   * Adds a MEDIA_META task for every media file, in the transaction that adds the file or replaces its
   * content.
   * @param suffix distinguishes the contents of one file, so that each content gets a task
   */
  #addMediaTasks(tx: Tx, files: readonly EntryWithPath[], suffix = ''): Promise<void> | undefined {
    const media = files.filter(({ entry }) => isMediaType(entry.contentType));
    if (media.length === 0) return undefined;
    return this.creation.addAll(tx, media, (file) => ({
      driveId: file.entry.driveId,
      accountId: null,
      type: 'MEDIA_META',
      entryId: file.entry.id,
      correlationId: `media-meta:auto:${file.entry.id}${suffix}`,
      input: describeEntry(file),
      isAutomatic: true,
    }));
  }
}
