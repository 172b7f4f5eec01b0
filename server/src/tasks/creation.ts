import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import { childOf, type LogicalPath } from '../base/text/logical-path.ts';
import type { Database, Tx } from '../database/database.ts';
import type { Drive, Entry, EntryWithPath } from '../drive/drive.ts';
import { isArchiveFile, isMediaFile } from './eligible-files.ts';
import type { JsonObject } from './engine/job.ts';
import { QUEUE } from './engine/runner.ts';
import type { Task } from './engine/task.ts';
import { findCorrelated, insertTask, insertTasks, type NewTask } from './queries.ts';

/** SQLite takes 32,766 values in one statement. */
const INSERTED_AT_ONCE = 1_000;

/** The types that people make. */
export type EntryTaskType = 'ARCHIVE' | 'EXTRACT' | 'MEDIA_META';

export interface TaskRequest {
  readonly type: EntryTaskType;
  readonly entryId: number;
  /** Where the caller believes it to be. */
  readonly path: LogicalPath;
  readonly correlationId: string | null;
}

export interface AddedTask {
  readonly task: Task;
  /** False where it is the one that the owner had already. */
  readonly isNew: boolean;
}

/** How tasks come into the queue. */
export class Creation {
  readonly #database: Database;
  readonly #drive: Drive;
  readonly #clock: Clock;

  constructor(parts: { database: Database; drive: Drive; clock: Clock }) {
    this.#database = parts.database;
    this.#drive = parts.drive;
    this.#clock = parts.clock;
  }

  /**
   * Makes a task about an entry, or gives the owner's task of the same correlation id.
   * @throws Failure `not-found`; `rejected` when it lies elsewhere, or is of the wrong kind
   */
  async create(ownerId: number, { type, entryId, path, correlationId }: TaskRequest): Promise<Task> {
    if (correlationId !== null) {
      const existing = await findCorrelated(this.#database.db, ownerId, correlationId);
      if (existing !== undefined) return existing;
    }
    const placed = await this.#drive.listing.getEntry(ownerId, entryId);
    if (childOf(placed.parentPath, placed.entry.name) !== path) {
      throw new Failure('rejected', 'path is not where the file lies.');
    }
    checkKind(type, placed.entry);
    const { task } = await this.#database.transact((tx) =>
      this.add(tx, { ownerId, type, entryId, correlationId, input: describeEntry(placed) }),
    );
    return task;
  }

  /** Puts a task into the queue in the caller's transaction, unless the owner has one of the same correlation id. */
  async add(tx: Tx, task: NewTask): Promise<AddedTask> {
    const added = await insertTask(tx, task, this.#clock.now());
    if (added !== undefined) {
      await this.#database.notifyOnCommit(tx, QUEUE);
      return { task: added, isNew: true };
    }
    const existing = await findCorrelated(tx, task.ownerId, task.correlationId ?? '');
    if (existing === undefined) throw new Error('A task was not added, and there is none in its way.');
    return { task: existing, isNew: false };
  }

  /** The same for many, of which none is given back. */
  async addAll(tx: Tx, tasks: readonly NewTask[]): Promise<void> {
    for (let from = 0; from < tasks.length; from += INSERTED_AT_ONCE) {
      await insertTasks(tx, tasks.slice(from, from + INSERTED_AT_ONCE), this.#clock.now());
    }
    await this.#database.notifyOnCommit(tx, QUEUE);
  }
}

/** What a task about an entry says of it from its beginning. */
export function describeEntry({ entry, parentPath }: EntryWithPath): JsonObject {
  return {
    fileId: entry.id,
    path: childOf(parentPath, entry.name),
    filename: entry.name,
    directory: entry.isDirectory,
    contentType: entry.contentType,
    size: entry.size,
  };
}

/** @throws Failure `rejected` */
function checkKind(type: EntryTaskType, entry: Entry): void {
  if (type === 'ARCHIVE') return;
  if (entry.isDirectory) throw new Failure('rejected', 'That can be done to files only, not to directories.');
  if (type === 'EXTRACT' && !isArchiveFile(entry)) {
    throw new Failure('rejected', 'The file is no archive that can be extracted.');
  }
  if (type === 'MEDIA_META' && !isMediaFile(entry)) {
    throw new Failure('rejected', 'The file is not a picture, a video or a sound.');
  }
}
