import { findAccount } from '../accounts/accounts.ts';
import type { Clock, Instant } from '../base/clock.ts';
import type { AccountInDrive } from '../base/domain/drives.ts';
import type { FolderLinkMode } from '../base/domain/folder-links.ts';
import type { Ids } from '../base/ids.ts';
import type { Page, PageRequest } from '../base/page.ts';
import { childOf, ROOT_PATH } from '../base/text/names/logical-path.ts';
import type { Database, Db, Tx } from '../database/database.ts';
import type { Drive, Entry } from '../drive/drive.ts';
import { type Drives, type DriveUser, findDriveName } from '../drives/drives.ts';
import {
  checkLinkCount,
  hashLinkPassword,
  isLinkToken,
  LINK_TOKEN_BITS,
  type LinkCookie,
  type LinkPasswords,
  type LinkVisitor,
  passwordRequired,
} from '../links/links.ts';
import type { UploadSessions } from '../uploads/uploads.ts';
import {
  checkMode,
  checkNotExpired,
  type FolderLink,
  type FolderLinkUse,
  noSuchLink,
} from './folder-link.ts';
import {
  countLinksOf,
  deleteFolderLink,
  findDriveOfLink,
  findFolderLink,
  findFolderLinkById,
  findFolderLinksOfDrive,
  findLinksTakingFiles,
  insertFolderLink,
  type RemovedFolderLink,
  updateFolderLink,
} from './queries.ts';
import type { ReceivedFiles } from './received-files.ts';
import type { FolderLinkWithPath } from './records.ts';

export type { FolderLink } from './folder-link.ts';
export { FOLDER_LINK_TABLE, type RemovedFolderLink } from './queries.ts';

export interface FolderLinkOptions {
  readonly mode: FolderLinkMode;
  /** Null to use the directory's name. */
  readonly title: string | null;
  readonly note: string | null;
  /** Null for no password. */
  readonly password: string | null;
  readonly expiresAt: Instant | null;
  /** How many files and bytes may be uploaded; null for no limit. */
  readonly maxFiles: number | null;
  readonly maxBytes: number | null;
}

interface FolderLinksParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly drive: Drive;
  readonly passwords: LinkPasswords;
  /** The cookie proves that the visitor has entered the password. */
  readonly cookie: LinkCookie;
  readonly sessions: UploadSessions;
  readonly receivedFiles: ReceivedFiles;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Links to directories for people without an account. A link belongs to a directory: it survives renames and
 * moves, is unavailable while the directory is in the recycle bin, and is deleted with it.
 */
export class FolderLinks {
  readonly #parts: FolderLinksParts;

  constructor(parts: FolderLinksParts) {
    this.#parts = parts;
  }

  /**
   * @param directoryId null for the root of the drive
   * @throws Failure `not-found`; `rejected` for a file, and when there are too many links
   */
  async create(
    { driveId, accountId }: AccountInDrive,
    directoryId: number | null,
    { password, ...options }: FolderLinkOptions,
  ): Promise<FolderLinkWithPath> {
    const passwordHash = await hashLinkPassword(accountId, password);
    // The drive is locked, so the directory cannot be moved to the recycle bin before this commits.
    const link = await this.#parts.drives.withDriveLock({ driveId, accountId }, 0, async (tx) => {
      const directory = await this.#parts.drive.listing.getLiveDirectory(tx, driveId, directoryId);
      checkLinkCount(await countLinksOf(tx, driveId));
      // Stores the current name, so that visitors do not learn later names of the directory.
      const title = options.title ?? (await this.#nameOf(tx, directory, accountId));
      const token = this.#parts.ids.token(LINK_TOKEN_BITS);
      const link = { ...options, title, passwordHash, token, driveId, creatorId: accountId };
      const added = { ...link, entryId: directory.id };
      return await getLinkById(tx, await insertFolderLink(tx, added, this.#parts.clock.now()));
    });
    return await this.#withPath(link);
  }

  /**
   * Changes the given options, by the same rules as for new links. A new password ends the access of everyone
   * who entered the old one, and all open uploads. A mode without uploads ends open uploads as well.
   * @throws Failure `not-found`, also while the directory is in the recycle bin
   */
  async change(
    { driveId, accountId }: AccountInDrive,
    id: number,
    options: Partial<FolderLinkOptions>,
  ): Promise<FolderLinkWithPath> {
    const { password, title, ...others } = options;
    const passwordHash = password === undefined ? undefined : await hashLinkPassword(accountId, password);
    // The drive is locked, so no upload through the link can begin or end at the same time.
    const link = await this.#parts.drives.withDriveLock({ driveId, accountId }, 0, async (tx) => {
      const { directory, ...before } = await getLinkById(tx, id);
      if (before.driveId !== driveId) throw noSuchLink();
      const newTitle = title === null ? await this.#nameOf(tx, directory, accountId) : title;
      const changes = {
        ...others,
        ...(newTitle !== undefined && { title: newTitle }),
        ...(passwordHash !== undefined && { passwordHash }),
      };
      if (!(await updateFolderLink(tx, driveId, id, changes, this.#parts.clock.now()))) throw noSuchLink();
      return await getLinkById(tx, id);
    });
    if (typeof password === 'string' || link.mode === 'VIEW') await this.#endUploads(id);
    return await this.#withPath(link);
  }

  /** Ends the open uploads of links that have expired, were deleted, or no longer accept files. */
  async endOrphanedUploads(signal: AbortSignal): Promise<void> {
    for await (const ids of this.#parts.sessions.listLinks(signal)) {
      const taking = await findLinksTakingFiles(this.#parts.database.db, ids, this.#parts.clock.now());
      for (const id of ids) if (!taking.has(id)) await this.#parts.sessions.cancelAllOfLink(id, signal);
    }
  }

  /**
   * Lists the drive's links, newest first. Links to directories in the recycle bin do not work, but can be
   * deleted.
   */
  async listByDrive(driveId: number, { page, size }: PageRequest): Promise<Page<FolderLinkWithPath>> {
    const { items, total } = await findFolderLinksOfDrive(this.#parts.database.db, driveId, { page, size });
    return { items: await this.#withPaths(items), total, page, size };
  }

  /** Deletes a link of the drive. It stops working immediately. @throws Failure `not-found` */
  async delete(user: AccountInDrive, id: number): Promise<void> {
    await this.#remove(user, id, async () => {});
  }

  /**
   * Deletes a link of any drive.
   * @param alsoDo runs in the same transaction
   * @throws Failure `not-found`
   */
  async deleteAny(id: number, alsoDo: (tx: Tx, removed: RemovedFolderLink) => Promise<void>): Promise<void> {
    const driveId = await findDriveOfLink(this.#parts.database.db, id);
    if (driveId === undefined) throw noSuchLink();
    await this.#remove({ driveId, accountId: null }, id, alsoDo);
  }

  /** @throws Failure `not-found`, also while the directory is in the recycle bin; `expired` */
  async get(token: string): Promise<FolderLink> {
    const link = isLinkToken(token) ? await findFolderLink(this.#parts.database.db, token) : undefined;
    if (link === undefined) throw noSuchLink();
    checkNotExpired(link, this.#parts.clock.now());
    return link;
  }

  /**
   * Returns the link for a visitor who wants to use it.
   * @param cookies the `Cookie` header of the request
   * @throws Failure as {@link get}; `forbidden` if the link does not allow this use, or the password was not
   *   entered
   */
  async open(token: string, use: FolderLinkUse, cookies: string | undefined): Promise<FolderLink> {
    const link = await this.get(token);
    checkMode(link, use);
    if (!this.isVerified(link, cookies)) throw passwordRequired();
    return link;
  }

  /** Whether the link needs no password, or the visitor has entered it. */
  isVerified(link: FolderLink, cookies: string | undefined): boolean {
    return link.passwordHash === null || this.#parts.cookie.isValid(cookies, link, this.#parts.clock.now());
  }

  /**
   * Returns the `Set-Cookie` header for the correct password; undefined if none is required.
   * @throws Failure as {@link LinkPasswords.check}
   */
  async verifyPassword(
    link: FolderLink,
    password: string,
    visitor: LinkVisitor,
    isSecure: boolean,
  ): Promise<string | undefined> {
    await this.#parts.passwords.check(link, `folder-${link.id}`, password, visitor);
    if (link.passwordHash === null) return undefined;
    return this.#parts.cookie.toSetCookie(link, this.#parts.clock.now(), isSecure);
  }

  /**
   * Does not lock the drive, so that a link can be ended while others change the drive. Uploads through the link
   * lock its row instead: none can begin or end at the same time.
   */
  async #remove(
    user: DriveUser,
    id: number,
    alsoDo: (tx: Tx, removed: RemovedFolderLink) => Promise<void>,
  ): Promise<void> {
    const { drives, receivedFiles } = this.#parts;
    await drives.withRole(user, async (tx) => {
      const removed = await deleteFolderLink(tx, user.driveId, id);
      if (removed === undefined) throw noSuchLink();
      await receivedFiles.tellBeforeDeletion(tx, removed.unnotified, user.accountId);
      await alsoDo(tx, removed);
    });
    await this.#endUploads(id);
  }

  /** If this fails, the remaining uploads end when their sessions expire. */
  async #endUploads(linkId: number): Promise<void> {
    await this.#parts.sessions.cancelAllOfLink(linkId, new AbortController().signal).catch(() => undefined);
  }

  /** The root has no name. In its place is the name of the shared drive, or of the owner of the personal one. */
  async #nameOf(db: Db, { name, parentId, driveId }: Entry, accountId: number): Promise<string> {
    if (parentId !== null) return name;
    const driveName = await findDriveName(db, driveId);
    if (driveName !== undefined) return driveName;
    const owner = await findAccount(db, accountId);
    return owner?.displayName.trim() || (owner?.username ?? '');
  }

  async #withPath(link: FolderLink): Promise<FolderLinkWithPath> {
    const [placed] = await this.#withPaths([link]);
    if (placed === undefined) throw noSuchLink();
    return placed;
  }

  /** Leaves out links whose directory was moved to the recycle bin meanwhile. */
  async #withPaths(links: readonly FolderLink[]): Promise<readonly FolderLinkWithPath[]> {
    const directories = links.filter(({ isInBin }) => !isInBin).map(({ directory }) => directory);
    const placed = await this.#parts.drive.listing.resolvePaths(
      directories.filter(({ parentId }) => parentId !== null),
    );
    const paths = new Map(placed.map(({ entry, parentPath }) => [entry.id, childOf(parentPath, entry.name)]));
    return links.flatMap((link): FolderLinkWithPath[] => {
      const { id, parentId } = link.directory;
      if (link.isInBin) return [{ link, directoryPath: null }];
      const directoryPath = parentId === null ? ROOT_PATH : paths.get(id);
      return directoryPath === undefined ? [] : [{ link, directoryPath }];
    });
  }
}

/** @throws Failure `not-found` */
async function getLinkById(db: Db, id: number): Promise<FolderLink> {
  const link = await findFolderLinkById(db, id);
  if (link === undefined) throw noSuchLink();
  return link;
}
