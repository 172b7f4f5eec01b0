import type { Clock } from '../base/clock.ts';
import type { ExpectedSize } from '../base/domain/uploads.ts';
import { Failure } from '../base/failure.ts';
import { formatBytes } from '../base/format-bytes.ts';
import { addressKeyOf } from '../base/network/address-key.ts';
import { joinPath, type LogicalPath, ROOT_PATH, segmentsOf } from '../base/text/names/logical-path.ts';
import type { Database, Db, Tx } from '../database/database.ts';
import type { ContentWrite, Drive, EntryWithPath, NewFile } from '../drive/drive.ts';
import type { Drives } from '../drives/drives.ts';
import type { StoredBytes } from '../policies/policies.ts';
import type { OpenUploads, UploadDestination, UploadSessions } from '../uploads/uploads.ts';
import {
  checkMode,
  checkNotExpired,
  checkStillAllowed,
  type FolderLink,
  noSuchLink,
  remainingBytesOf,
  remainingFilesOf,
} from './folder-link.ts';
import { findFolderLinkById, lockFolderLink, lockOwner } from './queries.ts';
import type { ReceivedFiles } from './received-files.ts';
import { countReceived } from './received-queries.ts';

const MAX_SENDER_LENGTH = 64;

/**
 * The maximum number of unfinished uploads in a drive from one address. People in one house or office share
 * an address.
 */
const MAX_OPEN_OF_ADDRESS = 50;
const MAX_OPEN_OF_LINK = 200;
/** With this many unfinished uploads in a drive, visitors cannot start another one. Its users still can. */
const MAX_OPEN_WITH_VISITORS = 5_000;
const RETRY_SECONDS = 60;

/** The largest file that a link accepts now. */
interface VisitorLimit {
  readonly maxBytes: number;
  /** What visitors are told about a larger file. It does not reveal how much space the drive has left. */
  readonly toFailure: () => Failure;
}

/** Reports a limit of the link itself, which visitors may know. */
class LinkLimitFailure extends Failure {
  constructor(message: string) {
    super('over-limit', message);
  }
}

/** A file that a visitor sends. Its directory is below the link. */
interface VisitorFile extends NewFile {
  /** The name that the visitor gave. */
  readonly sender: string | null;
}

/** What the visitor may know about a stored file. */
export interface Received {
  /** The stored name, or the name that was sent if visitors cannot see the directory. */
  readonly name: string;
  readonly size: number;
}

interface VisitorUploadsParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly drive: Drive;
  readonly sessions: UploadSessions;
  readonly receivedFiles: ReceivedFiles;
  readonly clock: Clock;
}

/**
 * Adds visitors' files to the directories of links. The files belong to the drive, so both the drive's and
 * the link's limits apply. If a file's name is taken, it gets a number, so a visitor neither replaces
 * anything nor learns that it exists.
 */
export class VisitorUploads {
  readonly #parts: VisitorUploadsParts;

  constructor(parts: VisitorUploadsParts) {
    this.#parts = parts;
  }

  /**
   * The largest file that the link accepts now. Lets callers reject early what cannot fit; {@link insert}
   * decides.
   * @throws Failure `over-limit` if it accepts no file at all
   */
  async getLimit(link: FolderLink): Promise<VisitorLimit> {
    if (remainingFilesOf(link) === 0) throw overFiles();
    const { maxBytes } = await this.#parts.drive.content.getLimit(link.driveId);
    const remaining = remainingBytesOf(link);
    if (remaining === null || remaining > maxBytes) return { maxBytes, toFailure: () => overLimitsOfDrive() };
    return { maxBytes: remaining, toFailure: () => overBytes(remaining) };
  }

  /**
   * The destination for a resumable upload that a visitor of the link starts or continues.
   * @param link the current link; every request needs a new destination
   * @param address the visitor's address
   */
  toDestination(link: FolderLink, address: string): UploadDestination {
    const { content } = this.#parts.drive;
    return {
      driveId: link.driveId,
      accountId: null,
      folderLinkId: link.id,
      transfer: null,
      visitorAddress: addressKeyOf(address),
      checkSize: async (sizeBytes) => {
        const { maxBytes, toFailure } = await this.getLimit(link);
        if (sizeBytes > maxBytes) throw toFailure();
      },
      // Visitors are not told how much space the drive has left.
      findPublicLimit: async () => remainingBytesOf(link) ?? undefined,
      readSender: (find) => {
        checkGivenPath(link, find('path'));
        return toSender(find('sender'));
      },
      checkCanCreate: async (file) => {
        if (remainingFilesOf(link) === 0) throw overFiles();
        const directoryPath = await this.#resolvePath(this.#parts.database.db, link, file.directoryPath);
        await content.checkCanCreate(link.driveId, { ...file, directoryPath }, 'RENAME');
      },
      checkCanOpen: (tx, sizeBytes, open) => this.#checkCanOpen(tx, link, sizeBytes, open),
      toClientError: toVisitorError,
      checkCanComplete: async (sizeBytes, policyId) => {
        const limit = await content.getLimit(link.driveId, { policyId });
        if (sizeBytes > limit.maxBytes) throw new Failure('over-limit', limit.message);
      },
      // The path was allowed when the upload began, so a later change of the mode does not end the upload.
      addFile: async (tx, bytes, file, { sender }) => {
        await this.#parts.drives.usage.charge(tx, link.driveId, { bytes: bytes.size, files: 1, entries: 1 });
        return (await this.#insertAt(tx, link, bytes, { ...file, sender })).added;
      },
    };
  }

  /**
   * Runs the work while the bytes of an upload are reserved. The reservation counts as one open upload. Small
   * uploads reserve nothing and do not count, up to 8 MiB per drive and instance at a time
   * (`UnreservedBytes`); for them, {@link insert} decides. Beyond that, small uploads also reserve and count.
   * @param address the visitor's address
   * @throws Failure `over-limit`, `too-many`; `not-found`, `expired`, `forbidden` if the link has changed
   */
  reserveDuring<T>(
    link: FolderLink,
    address: string,
    size: ExpectedSize,
    work: (write: ContentWrite) => Promise<T>,
  ): Promise<T> {
    const { id: folderLinkId, driveId, accountId } = link;
    const visiting = { driveId, folderLinkId, visitorAddress: addressKeyOf(address) };
    const check = async (tx: Tx, id: string, bytes: number) => {
      // For a small form, the reservation also covers the form's fields, so its file may be smaller.
      const sizeBytes = size.maxBytes === undefined ? bytes : size.minBytes;
      const open = await this.#parts.sessions.sumOpenForVisitor(tx, visiting, id);
      await this.#checkCanOpen(tx, link, sizeBytes, open);
    };
    const visit = { ...visiting, check };
    return this.#parts.drive.content.reserveDuring({ user: { driveId, accountId }, size, visit }, work);
  }

  /** Stores bytes that nothing refers to yet. The caller must call {@link create} or discard them next. */
  store(source: AsyncIterable<Uint8Array>, limit: VisitorLimit, write: ContentWrite): Promise<StoredBytes> {
    const { message } = limit.toFailure();
    return write.store(limitSize(source, limit), { ...limit, message });
  }

  /**
   * Creates the file of stored bytes. If that is rejected, the bytes are removed.
   * @param sentName the name as the visitor sent it
   * @param toFile may throw: in a form, the path can arrive after the bytes
   * @throws Failure as {@link insert}; `over-limit` if the bytes exceed the quota
   */
  create(
    link: FolderLink,
    bytes: StoredBytes,
    write: ContentWrite,
    sentName: string,
    toFile: () => VisitorFile,
  ): Promise<Received> {
    return write.commit(bytes, () => {
      const file = toFile();
      const work = async (tx: Tx) => {
        const { added, isShown } = await this.insert(tx, link, bytes, file);
        return { name: isShown ? added.entry.name : sentName, size: bytes.size };
      };
      return { isNewFile: true, work };
    });
  }

  /**
   * Counts the file for the link and adds it to its directory, in a transaction that has locked the drive
   * and charged the file.
   * @param opened the link as the request opened it
   * @throws Failure `not-found`, `expired`, `forbidden` if the link does not accept files from this visitor,
   *   or no longer does; `over-limit` if it accepts no more; `invalid` for a path that the link does not
   *   allow; `conflict` if a segment of the path is a file
   */
  async insert(
    tx: Tx,
    opened: FolderLink,
    bytes: StoredBytes,
    file: VisitorFile,
  ): Promise<{ added: EntryWithPath; isShown: boolean }> {
    return this.#insertAt(tx, opened, bytes, file, (link) => {
      if (link.mode !== 'BOTH' && file.directoryPath !== ROOT_PATH) throw noPaths();
    });
  }

  async #insertAt(
    tx: Tx,
    opened: FolderLink,
    bytes: StoredBytes,
    { sender, ...file }: VisitorFile,
    checkPath: (link: FolderLink) => void = () => {},
  ): Promise<{ added: EntryWithPath; isShown: boolean }> {
    // Once a ban of the owner of a personal drive was answered, no more files arrive.
    if (opened.accountId !== null) await lockOwner(tx, opened.accountId);
    const counted = await countReceived(tx, opened.id, bytes.size, this.#parts.clock.now());
    const link = await findFolderLinkById(tx, opened.id);
    if (link === undefined) throw noSuchLink();
    if (counted === undefined) throw this.#explain(link, bytes.size);
    checkStillAllowed(opened, link, 'upload', this.#parts.clock.now());
    checkPath(link);
    const { contentChanges, metadata } = this.#parts.drive;
    const directoryPath = await this.#resolvePath(tx, link, file.directoryPath);
    // None of the drive's clients made this change, so all of them get the event.
    const actor = { driveId: link.driveId, accountId: link.accountId, clientId: null, sender };
    const added = await contentChanges.add(tx, actor, bytes, {
      file: { ...file, directoryPath },
      onConflict: 'RENAME',
      isCharged: true,
    });
    await metadata.setOrigin(tx, added.entry, { title: link.title, sender });
    await this.#parts.receivedFiles.tell(tx, counted, sender);
    return { added, isShown: link.mode === 'BOTH' };
  }

  /**
   * Converts a path below a link into a path in the drive.
   * @throws Failure `not-found`; `invalid` if it is too long
   */
  async #resolvePath(db: Db, { directory }: FolderLink, path: LogicalPath): Promise<LogicalPath> {
    const top = await this.#parts.drive.listing.getDirectoryPath(db, directory);
    return joinPath([...segmentsOf(top), ...segmentsOf(path)]);
  }

  /**
   * Checks whether a visitor may start an upload. The transaction has locked the drive, so the link cannot
   * change before the upload is counted. Its row is locked as well, so it cannot be deleted.
   * @throws Failure `not-found`, `expired`, `forbidden`, `over-limit`, `too-many`
   */
  async #checkCanOpen(tx: Tx, link: FolderLink, sizeBytes: number, open: OpenUploads): Promise<void> {
    await lockFolderLink(tx, link.id);
    const current = await findFolderLinkById(tx, link.id);
    if (current === undefined) throw noSuchLink();
    checkStillAllowed(link, current, 'upload', this.#parts.clock.now());
    checkCanAnnounce(current, sizeBytes, open);
  }

  /** Finds out why the file could not be counted. */
  #explain(link: FolderLink, bytes: number): Failure {
    checkNotExpired(link, this.#parts.clock.now());
    checkMode(link, 'upload');
    if (remainingFilesOf(link) === 0) return overFiles();
    const remaining = remainingBytesOf(link);
    if (remaining !== null && remaining < bytes) return overBytes(remaining);
    return new Failure('unavailable', 'The link was changed at the same moment.', { retryAfterSeconds: 1 });
  }
}

/**
 * Checks whether a link accepts one more upload besides the open ones. Their announced bytes count, so no one
 * sends data for hours that the link rejects in the end.
 * @throws Failure `over-limit`; `too-many` for what may fit once other uploads have ended
 */
function checkCanAnnounce(link: FolderLink, sizeBytes: number, open: OpenUploads): void {
  const files = remainingFilesOf(link);
  const bytes = remainingBytesOf(link);
  if (files === 0) throw overFiles();
  if (bytes !== null && sizeBytes > bytes) throw overBytes(bytes);
  const isTaken =
    (files !== null && open.placesOfLink >= files) ||
    (bytes !== null && open.bytesOfLink + sizeBytes > bytes);
  if (
    isTaken ||
    open.countOfAddress >= MAX_OPEN_OF_ADDRESS ||
    open.countOfLink >= MAX_OPEN_OF_LINK ||
    open.count >= MAX_OPEN_WITH_VISITORS
  ) {
    throw new Failure('too-many', 'Too many uploads are open. Please try again later.', {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
}

/**
 * If visitors cannot see directories, they must not name one, not even the root.
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

/** Stops content that is too large. */
async function* limitSize(
  source: AsyncIterable<Uint8Array>,
  limit: VisitorLimit,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > limit.maxBytes) throw limit.toFailure();
    yield chunk;
  }
}

/**
 * Converts an error to what a visitor may know about it. That excludes how much space the drive has left and
 * which of its limits was exceeded.
 */
export function toVisitorError(error: unknown): unknown {
  if (!(error instanceof Failure) || error.kind !== 'over-limit') return error;
  return error instanceof LinkLimitFailure ? error : overLimitsOfDrive(error);
}

function overLimitsOfDrive(cause?: Failure): Failure {
  return new Failure('over-limit', 'This file cannot be sent through this link.', { cause });
}

function overFiles(): Failure {
  return new LinkLimitFailure('This link takes no more files.');
}

function overBytes(remaining: number): Failure {
  return new LinkLimitFailure(`This link takes ${formatBytes(remaining)} more at most.`);
}
