import type { Audit } from '../../audit/audit.ts';
import type { Clock, Instant } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import type { Page, PageRequest } from '../../base/page.ts';
import { childOf, ROOT_PATH } from '../../base/text/names/logical-path.ts';
import type { Database } from '../../database/database.ts';
import type { Drive } from '../../drive/drive.ts';
import type { FolderLinks } from '../../folder-links/folder-links.ts';
import type { Caller } from '../../http/caller.ts';
import { sortByIds } from '../lists/newest-first.ts';
import { type OwningDrive, toOwnedItems } from '../lists/owner-queries.ts';
import type { AdminFolderLink } from './contract.ts';
import { type FolderLinkRow, findFolderLinks, findLinkIds } from './link-queries.ts';
import type { ShareFilter } from './share-filter.ts';

interface AdminFolderLinksParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly drive: Drive;
  readonly folderLinks: FolderLinks;
  readonly audit: Audit;
}

/** The folder links of all drives. */
export class AdminFolderLinks {
  readonly #parts: AdminFolderLinksParts;

  constructor(parts: AdminFolderLinksParts) {
    this.#parts = parts;
  }

  /** Links to live directories, newest first, also those of banned owners. */
  async list(filter: ShareFilter, page: PageRequest): Promise<Page<AdminFolderLink>> {
    const { db } = this.#parts.database;
    const now = this.#parts.clock.now();
    const { ids, total } = await findLinkIds(db, 'folder_link', filter, page, now);
    const rows = sortByIds(ids, await findFolderLinks(db, ids));
    const below = rows.filter((row) => row.is_root === 0).map((row) => row.entry_id);
    const placed = await this.#parts.drive.listing.findInAllDrives([...new Set(below)]);
    const paths = new Map(placed.map(({ entry, parentPath }) => [entry.id, childOf(parentPath, entry.name)]));
    const items = await toOwnedItems(
      db,
      rows,
      (row) => row.drive_id,
      (row, drive) => {
        const path = row.is_root === 1 ? ROOT_PATH : paths.get(row.entry_id);
        return path === undefined ? undefined : toAdminFolderLink(row, path, drive, now);
      },
    );
    return { items, total, page: page.page, size: page.size };
  }

  /** Deletes the link, which stops working at once. @throws Failure `not-found` */
  async delete(caller: Caller, id: number): Promise<void> {
    await this.#parts.folderLinks.deleteAny(id, async (tx, { ownerId, driveId, entryId, title }) => {
      await this.#parts.audit.record(tx, caller, {
        action: 'DELETE_FOLDER_LINK',
        targetType: 'FOLDER_LINK',
        targetId: id,
        target: title,
        summary: `Deleted the folder link ${title}.`,
        details: { ownerId, driveId, directoryId: entryId },
      });
    });
  }
}

function toAdminFolderLink(
  row: FolderLinkRow,
  path: string,
  drive: OwningDrive,
  now: Instant,
): AdminFolderLink {
  return {
    id: row.id,
    token: row.token,
    directoryId: row.entry_id,
    directoryPath: path,
    inBin: false,
    mode: row.mode,
    title: row.title,
    note: row.note,
    passwordProtected: row.is_protected === 1,
    expiresAt: row.expires_at === null ? null : toTimestamp(row.expires_at),
    expired: row.expires_at !== null && row.expires_at <= now,
    maxFiles: row.max_files,
    maxBytes: row.max_bytes,
    receivedFiles: row.received_files,
    receivedBytes: row.received_bytes,
    createdAt: toTimestamp(row.created_at),
    ...drive,
  };
}
