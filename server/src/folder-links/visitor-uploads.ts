import type { UploadLimit, UploadReservation } from '../accounts/accounts.ts';
import type { Clock } from '../base/clock.ts';
import type { ExpectedSize } from '../base/domain/uploads.ts';
import { Failure } from '../base/failure.ts';
import { formatBytes } from '../base/format-bytes.ts';
import { joinPath, type LogicalPath, ROOT_PATH, segmentsOf } from '../base/text/logical-path.ts';
import type { Database, Db, Tx } from '../database/database.ts';
import type { Drive, EntryWithPath, NewFile } from '../drive/drive.ts';
import type { StoredBytes } from '../policies/policies.ts';
import type { UploadDestination } from '../uploads/uploads.ts';
import {
  checkMode,
  checkNotExpired,
  type FolderLink,
  noSuchLink,
  remainingBytesOf,
  remainingFilesOf,
} from './folder-link.ts';
import { countReceived, findFolderLinkById } from './queries.ts';

const MAX_SENDER_LENGTH = 64;

/**
 * Unfinished uploads of one link, and of a drive beyond which visitors begin no more: the rest of what a drive
 * may have is for its owner.
 */
const MAX_OPEN_OF_LINK = 200;
const MAX_OPEN_WITH_VISITORS = 5_000;
const RETRY_SECONDS = 60;

/** A file that a visitor sends. Its directory is below the link. */
export interface VisitorFile extends NewFile {
  /** The name that the visitor gave. */
  readonly sender: string | null;
}

/** A file that was stored, and what the visitor may know of it. */
export interface Received {
  /** As it was stored; where visitors see nothing, as it was sent. */
  readonly name: string;
  readonly size: number;
}

/**
 * Adds the files of visitors to the directories of links. They belong to the owner, whose limits apply together
 * with those of the link. A file whose name is taken gets a number, so that a visitor neither replaces anything
 * nor learns that it is there.
 */
export class VisitorUploads {
  readonly #database: Database;
  readonly #drive: Drive;
  readonly #clock: Clock;

  constructor(parts: { database: Database; drive: Drive; clock: Clock }) {
    this.#database = parts.database;
    this.#drive = parts.drive;
    this.#clock = parts.clock;
  }

  /**
   * The largest file that the link takes now. Lets callers reject early what cannot fit; {@link insert} decides.
   * @throws Failure `over-limit` if it takes no file at all
   */
  async getLimit(link: FolderLink): Promise<UploadLimit> {
    if (remainingFilesOf(link) === 0) throw overFiles();
    const limit = await this.#drive.fileCreation.getUploadLimit(link.ownerId);
    const remaining = remainingBytesOf(link);
    if (remaining === null || remaining > limit.maxBytes) return limit;
    return { maxBytes: remaining, limitedBy: 'size', message: overBytes(remaining).message };
  }

  /**
   * Where uploads in steps go that the visitor of a link begins or continues.
   * @param link as it is now; every request needs a new destination
   */
  toDestination(link: FolderLink): UploadDestination {
    const { fileCreation } = this.#drive;
    return {
      ownerId: link.ownerId,
      folderLinkId: link.id,
      getLimit: () => this.getLimit(link),
      // Visitors are not told how much space the owner has left.
      findPublicLimit: async () => remainingBytesOf(link) ?? undefined,
      readSender: (find) => {
        checkGivenPath(link, find('path'));
        return toSender(find('sender'));
      },
      checkCanCreate: async (file) => {
        if (remainingFilesOf(link) === 0) throw overFiles();
        const directoryPath = await this.#resolvePath(this.#database.db, link, file.directoryPath);
        await fileCreation.checkCanCreate(link.ownerId, { ...file, directoryPath }, 'RENAME');
      },
      checkCanOpen: async (tx, open) => {
        // The drive is locked, so the link cannot be deleted before the session is there.
        if ((await findFolderLinkById(tx, link.id)) === undefined) throw noSuchLink();
        if (open.countOfLink < MAX_OPEN_OF_LINK && open.count < MAX_OPEN_WITH_VISITORS) return;
        throw new Failure('too-many', 'Too many uploads are open. Please try again later.', {
          retryAfterSeconds: RETRY_SECONDS,
        });
      },
      insertFile: async (tx, bytes, file, sender) =>
        (await this.insert(tx, link.id, bytes, { ...file, sender })).added,
    };
  }

  /** Runs the work while the bytes of an upload are reserved. @throws Failure `over-limit` */
  reserveDuring<T>(
    { ownerId }: FolderLink,
    size: ExpectedSize,
    work: (reservation: UploadReservation) => Promise<T>,
  ): Promise<T> {
    return this.#drive.fileCreation.reserveDuring(ownerId, size, work);
  }

  /** Stores bytes that nothing refers to yet. The caller must call {@link create} or {@link discard} next. */
  store(
    source: AsyncIterable<Uint8Array>,
    limit: UploadLimit,
    reservation: UploadReservation,
  ): Promise<StoredBytes> {
    return this.#drive.fileCreation.store(source, limit, reservation);
  }

  discard(bytes: StoredBytes): Promise<void> {
    return this.#drive.fileCreation.discard(bytes);
  }

  /**
   * Creates the file of stored bytes. If that is rejected, the bytes are removed.
   * @param sentName as the visitor sent it
   * @param toFile may throw, since in a form the path can follow the bytes
   * @throws Failure as {@link insert}; `over-limit` if the bytes exceed the quota
   */
  create(
    link: FolderLink,
    bytes: StoredBytes,
    reservation: UploadReservation,
    sentName: string,
    toFile: () => VisitorFile,
  ): Promise<Received> {
    return this.#drive.fileCreation.createWith(link.ownerId, bytes, reservation, () => {
      const file = toFile();
      return async (tx) => {
        const { added, isShown } = await this.insert(tx, link.id, bytes, file);
        return { name: isShown ? added.entry.name : sentName, size: bytes.size };
      };
    });
  }

  /**
   * Counts the file for the link and adds it to its directory, in a transaction that has locked the owner's
   * drive and charged the file.
   * @throws Failure `not-found`, `expired`, `forbidden` if the link does not, or no longer, take files;
   *   `over-limit` if it takes no more; `invalid` for a path that the link does not allow; `conflict` if a
   *   segment of the path is a file
   */
  async insert(
    tx: Tx,
    linkId: number,
    bytes: StoredBytes,
    { sender, ...file }: VisitorFile,
  ): Promise<{ added: EntryWithPath; isShown: boolean }> {
    const isCounted = await countReceived(tx, linkId, bytes.size, this.#clock.now());
    const link = await findFolderLinkById(tx, linkId);
    if (link === undefined) throw noSuchLink();
    if (!isCounted) throw this.#explain(link, bytes.size);
    if (link.mode !== 'BOTH' && file.directoryPath !== ROOT_PATH) throw noPaths();
    const { fileCreation } = this.#drive;
    const directoryPath = await this.#resolvePath(tx, link, file.directoryPath);
    // No client of the owner makes the change, so all of them get the event.
    const actor = { ownerId: link.ownerId, clientId: null, sender };
    const added = await fileCreation.insertFile(tx, actor, bytes, { ...file, directoryPath }, 'RENAME');
    return { added, isShown: link.mode === 'BOTH' };
  }

  /** A path below a link as a path in the drive. @throws Failure `not-found`; `invalid` if it is too long */
  async #resolvePath(db: Db, { directory }: FolderLink, path: LogicalPath): Promise<LogicalPath> {
    const top = await this.#drive.listing.getDirectoryPath(db, directory);
    return joinPath([...segmentsOf(top), ...segmentsOf(path)]);
  }

  /** Why the file could not be counted. */
  #explain(link: FolderLink, bytes: number): Failure {
    checkNotExpired(link, this.#clock.now());
    checkMode(link, 'upload');
    if (remainingFilesOf(link) === 0) return overFiles();
    const remaining = remainingBytesOf(link);
    if (remaining !== null && remaining < bytes) return overBytes(remaining);
    return new Failure('unavailable', 'The link was changed at the same moment.', { retryAfterSeconds: 1 });
  }
}

/**
 * Where visitors see no directories they cannot name one, not even the root.
 * @throws Failure `invalid`
 */
export function checkGivenPath({ mode }: FolderLink, path: string | undefined): void {
  if (mode !== 'BOTH' && path !== undefined && path !== '') throw noPaths();
}

/** The name that a visitor gave; blank text counts as none. @throws Failure `invalid` */
export function toSender(text: string | undefined): string | null {
  const sender = text?.trim() ?? '';
  if (sender.length > MAX_SENDER_LENGTH) {
    throw new Failure('invalid', `sender must not be longer than ${MAX_SENDER_LENGTH} characters.`);
  }
  return sender === '' ? null : sender;
}

function noPaths(): Failure {
  return new Failure('invalid', 'This link takes files without a path.');
}

function overFiles(): Failure {
  return new Failure('over-limit', 'This link takes no more files.');
}

function overBytes(remaining: number): Failure {
  return new Failure('over-limit', `This link takes ${formatBytes(remaining)} more at most.`);
}
