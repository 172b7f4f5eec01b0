import type { Clock } from '../base/clock.ts';
import type { ConflictRule } from '../base/domain/conflict-rules.ts';
import { Failure } from '../base/failure.ts';
import type { FileName } from '../base/text/names/file-name.ts';
import { childOf, type LogicalPath } from '../base/text/names/logical-path.ts';
import type { Database, Tx } from '../database/database.ts';
import { type Drive, type Entry, type EntryWithPath, toNewFile } from '../drive/drive.ts';
import type { Drives, DriveUser } from '../drives/drives.ts';
import type { Encoding } from '../formats/encodings/encodings.ts';
import { isArchiveFile, isMediaFile } from './eligible-files.ts';
import type { JsonObject } from './engine/job.ts';
import { taskKeyOf } from './engine/leased-attempt.ts';
import { QUEUE_KEY } from './engine/runner.ts';
import type { Task } from './engine/task.ts';
import type { ArchiveListing } from './extract/archive-contents.ts';
import {
  countUnfinishedTasks,
  deleteEndedMediaTasks,
  findByCorrelationId,
  findUnfinishedMediaTask,
  insertTask,
  insertTasks,
  lockTasksOf,
  type NewTask,
  requeueRunningMediaTask,
} from './queries.ts';

/** Rows per insert. Building a larger statement would block the event loop for too long. */
const INSERT_BATCH = 200;

const RETRY_SECONDS = 30;

/** The maximum number of unfinished tasks per account. Automatic tasks for uploads do not count. */
const MAX_UNFINISHED_TASKS = 500;

/** The types of tasks that users can create for an entry. */
type EntryTaskType = 'ARCHIVE' | 'EXTRACT' | 'MEDIA_META';

interface TaskRequest {
  readonly type: EntryTaskType;
  readonly entryId: number;
  /** The path that the caller expects the entry to have. */
  readonly path: LogicalPath;
  readonly correlationId: string | null;
  /** What EXTRACT does with names that are taken. */
  readonly onConflict: ConflictRule;
  /** The name of a new directory for the extracted files; undefined for the directory of the archive. */
  readonly folder?: FileName | undefined;
  /** The encoding of the names in the archive; guessed by default. */
  readonly encoding?: Encoding | undefined;
  /** The directory for the extracted files; by default that of the archive. */
  readonly into?: LogicalPath | undefined;
  /** The paths in the archive that are extracted; all by default. */
  readonly entries?: readonly string[] | undefined;
}

/** A request to pack several entries into one archive. */
interface ArchiveRequest {
  readonly entryIds: readonly number[];
  /** The directory of the new archive, and its name. */
  readonly directoryPath: LogicalPath;
  readonly name: FileName;
  readonly correlationId: string | null;
}

export interface AddedTask {
  readonly task: Task;
  /** False if an existing task is returned instead. */
  readonly isNew: boolean;
}

interface TaskCreationParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly drive: Drive;
  readonly archives: ArchiveListing;
  readonly clock: Clock;
}

/** Puts tasks into the queue. */
export class TaskCreation {
  readonly #parts: TaskCreationParts;

  constructor(parts: TaskCreationParts) {
    this.#parts = parts;
  }

  /**
   * Creates a task for an entry, or returns an existing one. That is the drive's task with this correlation
   * id, or a task that is about to read the metadata of this file anyway.
   * @throws Failure `not-found`; `rejected` if the entry has another path, or the wrong kind for the task;
   *   `too-many` if the account has too many unfinished tasks; `forbidden` if its role is too low
   */
  create(maker: DriveUser, request: TaskRequest): Promise<Task> {
    const { driveId, accountId } = maker;
    const { type, entryId, path, correlationId, onConflict, folder, encoding, into, entries } = request;
    return this.#getOrCreate(maker, correlationId, async () => {
      const file = await this.#parts.drive.listing.getEntry(driveId, entryId);
      if (childOf(file.parentPath, file.entry.name) !== path) {
        throw new Failure('rejected', 'path is not the current path of the file.');
      }
      checkKind(type, file.entry);
      if (type === 'EXTRACT') await this.#checkArchive(driveId, file.entry);
      const { listing } = this.#parts.drive;
      const target = into === undefined ? undefined : await listing.getDirectory(driveId, into);
      const input = {
        ...describeEntry(file),
        ...(onConflict !== 'FAIL' && { onConflict }),
        ...(folder !== undefined && { folder }),
        ...(encoding !== undefined && { encoding }),
        ...(target !== undefined && { targetId: target.id }),
        ...(entries !== undefined && { entries: [...entries] }),
      };
      return { driveId, accountId, type, entryId, correlationId, input };
    });
  }

  /**
   * Rejects files that are not archives. A file with the name of an archive passes: the task finds out what
   * is wrong with it.
   * @throws Failure `rejected`
   */
  async #checkArchive(driveId: number, entry: Entry): Promise<void> {
    if (isArchiveFile(entry) || (await this.#parts.archives.isArchive(driveId, entry.id))) return;
    throw new Failure('rejected', 'The file is not an archive that can be extracted.');
  }

  /**
   * Creates a task that packs several entries into one archive, or returns the drive's existing task with
   * this correlation id.
   * @throws Failure `not-found` if an entry or the directory does not exist; `conflict` if the name is taken;
   *   `too-many` if the account has too many unfinished tasks; `forbidden` if its role is too low
   */
  createArchive(maker: DriveUser, request: ArchiveRequest): Promise<Task> {
    const { driveId, accountId } = maker;
    const { directoryPath, name, correlationId } = request;
    const { treeReader, listing, content } = this.#parts.drive;
    return this.#getOrCreate(maker, correlationId, async () => {
      const fileIds = [...new Set(request.entryIds)];
      await treeReader.getTopEntries(driveId, fileIds);
      await listing.getDirectory(driveId, directoryPath);
      await content.checkCanCreate(driveId, toNewFile({ path: directoryPath, filename: name }));
      const input = { fileIds, path: childOf(directoryPath, name), filename: name };
      return { ...{ driveId, accountId, type: 'ARCHIVE' }, entryId: null, correlationId, input };
    });
  }

  /**
   * Queues a task in the caller's transaction, or returns the drive's existing task with this correlation id.
   */
  async add(tx: Tx, task: NewTask): Promise<AddedTask> {
    const added = await insertTask(tx, task, this.#parts.clock.now());
    if (added !== undefined) {
      await this.#parts.database.notifyOnCommit(tx, QUEUE_KEY);
      return { task: added, isNew: true };
    }
    const existing =
      (await findByCorrelationId(tx, task.driveId, task.correlationId ?? '')) ??
      (await findUnfinishedMediaTask(tx, task.entryId ?? 0));
    if (existing === undefined) throw new Error('The task was not inserted, but no other has its place.');
    return { task: existing, isNew: false };
  }

  /**
   * Locks the account's tasks until the transaction ends, and checks that another unfinished task is allowed.
   * If the file already has an unfinished MEDIA_META task, returns that task instead.
   * @throws Failure `too-many`
   */
  async lockPlace(
    tx: Tx,
    { accountId, type, entryId }: Pick<NewTask, 'accountId' | 'type' | 'entryId'>,
  ): Promise<Task | undefined> {
    if (accountId !== null) await lockTasksOf(tx, accountId);
    const isMedia = type === 'MEDIA_META' && entryId !== null;
    const existing = isMedia ? await findUnfinishedMediaTask(tx, entryId) : undefined;
    if (existing !== undefined) return existing;
    if (accountId === null) return undefined;
    if ((await countUnfinishedTasks(tx, accountId)) < MAX_UNFINISHED_TASKS) return undefined;
    const sentence = `${MAX_UNFINISHED_TASKS} of your background tasks have not ended yet.`;
    throw new Failure('too-many', `${sentence} Try again when some of them have ended.`, {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }

  /**
   * Creates the task under the lock of the drive, which checks the role of the maker again. So a member leaves
   * no task behind when it is removed.
   * @param prepare checks and describes the task; not called if the drive has one with this correlation id
   */
  async #getOrCreate(
    maker: DriveUser,
    correlationId: string | null,
    prepare: () => Promise<NewTask>,
  ): Promise<Task> {
    if (correlationId !== null) {
      const existing = await findByCorrelationId(this.#parts.database.db, maker.driveId, correlationId);
      if (existing !== undefined) return existing;
    }
    const prepared = await prepare();
    return await this.#parts.drives.withDriveLock(maker, 0, async (tx) => {
      const existing = await this.lockPlace(tx, prepared);
      if (existing !== undefined) return existing;
      const { type, entryId } = prepared;
      if (type === 'MEDIA_META' && entryId !== null) await deleteEndedMediaTasks(tx, entryId);
      return (await this.add(tx, prepared)).task;
    });
  }

  /**
   * Makes sure that the MEDIA_META task of a file reads its new content: removes ended tasks, and makes a
   * running one begin again.
   */
  async renewMediaTask(tx: Tx, entryId: number): Promise<void> {
    await deleteEndedMediaTasks(tx, entryId);
    const id = await requeueRunningMediaTask(tx, entryId, this.#parts.clock.now());
    if (id !== undefined) await this.#parts.database.notifyOnCommit(tx, taskKeyOf(id));
  }

  /**
   * Queues one task for each element of `all` in the caller's transaction. Skips tasks whose correlation id
   * is taken, and files with an unfinished MEDIA_META task.
   */
  async addAll<Of>(tx: Tx, all: readonly Of[], toTask: (one: Of) => NewTask): Promise<void> {
    for (let from = 0; from < all.length; from += INSERT_BATCH) {
      await insertTasks(tx, all.slice(from, from + INSERT_BATCH).map(toTask), this.#parts.clock.now());
    }
    await this.#parts.database.notifyOnCommit(tx, QUEUE_KEY);
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
  if (type === 'MEDIA_META' && !isMediaFile(entry)) {
    throw new Failure('rejected', 'The file is not an image, video or audio file.');
  }
}
