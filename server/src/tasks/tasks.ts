import { type Clock, DAY } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import type { Page, PageRequest } from '../base/page.ts';
import type { Database, Db, Tx } from '../database/database.ts';
import type { Drive, EntryWithPath } from '../drive/drive.ts';
import { isMediaType } from '../formats/media/media-types.ts';
import { type AddedTask, Creation, describeEntry, type TaskRequest } from './creation.ts';
import type { Job, JsonObject } from './engine/job.ts';
import { changesOf } from './engine/leased-attempt.ts';
import { type OnFault, QUEUE, Runner } from './engine/runner.ts';
import { noSuchTask, type Task } from './engine/task.ts';
import {
  cancelTask,
  countTasks,
  deleteEnded,
  findOwnTask,
  findTask,
  findTasks,
  findTasksOf,
  requeueTask,
} from './queries.ts';

export type { Attempt, Job, JsonObject } from './engine/job.ts';
export { toPublicState, toTaskRecord } from './task-record.ts';
export type { Task };

/** So long an ended task can still be asked for. */
const ENDED_KEPT_MS = 30 * DAY;
const FORGOTTEN_AT_ONCE = 500;

/** Background tasks (specification, "Background task"; contract, section 7). */
export class Tasks {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #creation: Creation;
  readonly #runner: Runner;

  constructor(parts: {
    database: Database;
    drive: Drive;
    clock: Clock;
    ids: Ids;
    jobs: readonly Job[];
    workerConcurrency: number;
    taskLeaseMs: number;
    taskBackoffScale: number;
    onFault: OnFault;
  }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#creation = new Creation(parts);
    this.#runner = new Runner({
      ...parts,
      worker: parts.ids.uuid(),
      places: parts.workerConcurrency,
      leaseMs: parts.taskLeaseMs,
      backoffScale: parts.taskBackoffScale,
    });
    parts.drive.onFilesAdded((tx, files) => this.#describeSoon(tx, files));
  }

  /** Begins to run tasks here, unless this instance is to run none. */
  start(): void {
    this.#runner.start();
  }

  /** Ends what runs here, and hands it back to the queue. */
  stop(): Promise<void> {
    return this.#runner.stop();
  }

  /** Takes back what lost workers had, and looks for what is due. The runner does so by itself, every minute. */
  recover(): Promise<void> {
    return this.#runner.recover();
  }

  /**
   * Makes a task about an entry, or gives the owner's task of the same correlation id.
   * @throws Failure `not-found`; `rejected` when it lies elsewhere, or is of the wrong kind
   */
  create(ownerId: number, request: TaskRequest): Promise<Task> {
    return this.#creation.create(ownerId, request);
  }

  /**
   * Makes a migration in the caller's transaction, or gives the owner's task of the same correlation id.
   * @param input goes into its public state
   */
  addMigration(
    tx: Tx,
    { ownerId, correlationId, input }: { ownerId: number; correlationId: string | null; input: JsonObject },
  ): Promise<AddedTask> {
    const type = 'STORAGE_POLICY_MIGRATION';
    return this.#creation.add(tx, { ownerId, type, entryId: null, correlationId, input });
  }

  /** Whoever's it is. @throws Failure `not-found` */
  async getAny(db: Db, id: number): Promise<Task> {
    const task = await findTask(db, id);
    if (task === undefined) throw noSuchTask();
    return task;
  }

  /** Whoever's they are; those that are not there are left out. In no order. */
  findAny(db: Db, ids: readonly number[]): Promise<readonly Task[]> {
    return findTasksOf(db, ids);
  }

  /** The owner's own task. @throws Failure `not-found` */
  async get(ownerId: number, id: number): Promise<Task> {
    const task = await findOwnTask(this.#database.db, ownerId, id);
    if (task === undefined) throw noSuchTask();
    return task;
  }

  /** The newest first. */
  async list(ownerId: number, page: PageRequest): Promise<Page<Task>> {
    const { db } = this.#database;
    return {
      items: await findTasks(db, ownerId, page),
      total: await countTasks(db, ownerId),
      ...page,
    };
  }

  /** Ends a task that has not ended, wherever it runs; one that has stays as it is. @throws Failure `not-found` */
  async cancel(ownerId: number, id: number): Promise<Task> {
    const cancelled = await this.#database.transact(async (tx) => {
      const task = await cancelTask(tx, ownerId, id, this.#clock.now());
      if (task !== undefined) await this.#database.notifyOnCommit(tx, changesOf(id));
      return task;
    });
    return cancelled ?? (await this.get(ownerId, id));
  }

  /** Queues a FAILED task as if it were new. @throws Failure `not-found`; `rejected` when it is not FAILED */
  async retry(ownerId: number, id: number): Promise<Task> {
    const queued = await this.#database.transact(async (tx) => {
      const task = await requeueTask(tx, ownerId, id, this.#clock.now());
      if (task !== undefined) await this.#database.notifyOnCommit(tx, QUEUE);
      return task;
    });
    if (queued !== undefined) return queued;
    const { status } = await this.get(ownerId, id);
    throw new Failure('rejected', `Only a task that has failed can be tried again; this one is ${status}.`);
  }

  /** Forgets tasks that ended long ago. */
  async deleteExpired(signal: AbortSignal): Promise<void> {
    const before = this.#clock.now() - ENDED_KEPT_MS;
    for (let count = FORGOTTEN_AT_ONCE; count === FORGOTTEN_AT_ONCE && !signal.aborted; ) {
      count = await this.#database.transact((tx) => deleteEnded(tx, before, FORGOTTEN_AT_ONCE));
    }
  }

  /** What a media file says of itself is read out of it in the background, once. */
  #describeSoon(tx: Tx, files: readonly EntryWithPath[]): Promise<void> | undefined {
    const media = files.filter(({ entry }) => isMediaType(entry.contentType));
    if (media.length === 0) return undefined;
    return this.#creation.addAll(
      tx,
      media.map((file) => ({
        ownerId: file.entry.ownerId,
        type: 'MEDIA_META',
        entryId: file.entry.id,
        correlationId: `media-meta:auto:${file.entry.id}`,
        input: describeEntry(file),
      })),
    );
  }
}
