import type { Clock } from '../base/clock.ts';
import type { ConflictRule } from '../base/domain/conflict-rules.ts';
import { Failure } from '../base/failure.ts';
import type { FileName } from '../base/text/names/file-name.ts';
import { childOf, type LogicalPath } from '../base/text/names/logical-path.ts';
import type { Database, Tx } from '../database/database.ts';
import { type Drive, type Entry, type EntryWithPath, toNewFile } from '../drive/drive.ts';
import { isArchiveFile, isMediaFile } from './eligible-files.ts';
import type { JsonObject } from './engine/job.ts';
import { QUEUE_KEY } from './engine/runner.ts';
import type { Task } from './engine/task.ts';
import { findByCorrelationId, insertTask, insertTasks, type NewTask } from './queries.ts';

/** Rows per insert. Building a larger statement would block the event loop for too long. */
const INSERT_BATCH = 200;

/** The types of tasks that users create for an entry. */
export type EntryTaskType = 'ARCHIVE' | 'EXTRACT' | 'MEDIA_META';

export interface TaskRequest {
  readonly type: EntryTaskType;
  readonly entryId: number;
  /** The path that the caller expects the entry to have. */
  readonly path: LogicalPath;
  readonly correlationId: string | null;
  /** The rule of EXTRACT for names that are taken. */
  readonly onConflict: ConflictRule;
  /** The name of a new directory for the extracted files; undefined for the directory of the archive. */
  readonly folder?: FileName | undefined;
}

/** A request to pack several entries into one archive. */
export interface ArchiveRequest {
  readonly entryIds: readonly number[];
  /** The directory of the new archive, and its name. */
  readonly directoryPath: LogicalPath;
  readonly name: FileName;
  readonly correlationId: string | null;
}

export interface AddedTask {
  readonly task: Task;
  /** False if the owner already had a task with this correlation id, which is returned instead. */
  readonly isNew: boolean;
}

/** Puts tasks into the queue. */
export class TaskCreation {
  readonly #database: Database;
  readonly #drive: Drive;
  readonly #clock: Clock;

  constructor(parts: { database: Database; drive: Drive; clock: Clock }) {
    this.#database = parts.database;
    this.#drive = parts.drive;
    this.#clock = parts.clock;
  }

  /**
   * Creates a task for an entry, or returns the owner's existing task with this correlation id.
   * @throws Failure `not-found`; `rejected` if the entry has another path, or is of the wrong kind for the
   *   task
   */
  create(ownerId: number, request: TaskRequest): Promise<Task> {
    const { type, entryId, path, correlationId, onConflict, folder } = request;
    return this.#getOrCreate(ownerId, correlationId, async () => {
      const file = await this.#drive.listing.getEntry(ownerId, entryId);
      if (childOf(file.parentPath, file.entry.name) !== path) {
        throw new Failure('rejected', 'path is not the current path of the file.');
      }
      checkKind(type, file.entry);
      const input = {
        ...describeEntry(file),
        ...(onConflict !== 'FAIL' && { onConflict }),
        ...(folder !== undefined && { folder }),
      };
      return { ownerId, type, entryId, correlationId, input };
    });
  }

  /**
   * Creates a task that packs several entries into one archive, or returns the owner's existing task with
   * this correlation id.
   * @throws Failure `not-found` if an entry or the directory does not exist; `conflict` if the name is taken
   */
  createArchive(ownerId: number, request: ArchiveRequest): Promise<Task> {
    const { directoryPath, name, correlationId } = request;
    const { treeReader, listing, fileCreation } = this.#drive;
    return this.#getOrCreate(ownerId, correlationId, async () => {
      const fileIds = [...new Set(request.entryIds)];
      await treeReader.getTopEntries(ownerId, fileIds);
      await listing.getDirectory(ownerId, directoryPath);
      await fileCreation.checkCanCreate(ownerId, toNewFile({ path: directoryPath, filename: name }));
      const input = { fileIds, path: childOf(directoryPath, name), filename: name };
      return { ownerId, type: 'ARCHIVE', entryId: null, correlationId, input };
    });
  }

  /**
   * Queues a task in the caller's transaction, or returns the owner's existing task with this correlation id.
   */
  async add(tx: Tx, task: NewTask): Promise<AddedTask> {
    const added = await insertTask(tx, task, this.#clock.now());
    if (added !== undefined) {
      await this.#database.notifyOnCommit(tx, QUEUE_KEY);
      return { task: added, isNew: true };
    }
    const existing = await findByCorrelationId(tx, task.ownerId, task.correlationId ?? '');
    if (existing === undefined)
      throw new Error('The task was not inserted, but no task has its correlation id.');
    return { task: existing, isNew: false };
  }

  /** @param prepare checks and describes the task, unless the owner has one with this correlation id */
  async #getOrCreate(
    ownerId: number,
    correlationId: string | null,
    prepare: () => Promise<NewTask>,
  ): Promise<Task> {
    if (correlationId !== null) {
      const existing = await findByCorrelationId(this.#database.db, ownerId, correlationId);
      if (existing !== undefined) return existing;
    }
    const prepared = await prepare();
    const { task } = await this.#database.transact((tx) => this.add(tx, prepared));
    return task;
  }

  /**
   * Queues one task for each element of `all` in the caller's transaction. Skips tasks whose correlation id
   * is taken.
   */
  async addAll<Of>(tx: Tx, all: readonly Of[], toTask: (one: Of) => NewTask): Promise<void> {
    for (let from = 0; from < all.length; from += INSERT_BATCH) {
      await insertTasks(tx, all.slice(from, from + INSERT_BATCH).map(toTask), this.#clock.now());
    }
    await this.#database.notifyOnCommit(tx, QUEUE_KEY);
  }
}

/** The input of a task for an entry, which its public state shows. */
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
  if (entry.isDirectory)
    throw new Failure('rejected', 'This is possible for files only, not for directories.');
  if (type === 'EXTRACT' && !isArchiveFile(entry)) {
    throw new Failure('rejected', 'The file is not an archive that can be extracted.');
  }
  if (type === 'MEDIA_META' && !isMediaFile(entry)) {
    throw new Failure('rejected', 'The file is not an image, video or audio file.');
  }
}
