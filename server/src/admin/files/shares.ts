import type { Clock, Instant } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import type { Page, PageRequest } from '../../base/page.ts';
import type { Database } from '../../database/database.ts';
import { type Drive, type EntryWithPath, toPersonalRecord } from '../../drive/drive.ts';
import type { Caller } from '../../http/caller.ts';
import type { Shares } from '../../shares/shares.ts';
import type { AuditedActions } from '../audited-actions.ts';
import { sortByIds } from '../lists/newest-first.ts';
import { type OwningDrive, toOwnedItems } from '../lists/owner-queries.ts';
import type { AdminShare } from './contract.ts';
import { findLinkIds, findShares, type ShareRow } from './link-queries.ts';
import type { ShareFilter } from './share-filter.ts';

interface AdminSharesParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly drive: Drive;
  readonly shares: Shares;
  readonly actions: AuditedActions;
}

/** The shares and share links of all drives. */
export class AdminShares {
  readonly #parts: AdminSharesParts;

  constructor(parts: AdminSharesParts) {
    this.#parts = parts;
  }

  async list(filter: ShareFilter, page: PageRequest): Promise<Page<AdminShare>> {
    const { db } = this.#parts.database;
    const now = this.#parts.clock.now();
    const { ids, total } = await findLinkIds(db, 'share', filter, page, now);
    const rows = sortByIds(ids, await findShares(db, ids));
    const placed = await this.#parts.drive.listing.findInAllDrives([
      ...new Set(rows.map((row) => row.entry_id)),
    ]);
    const files = new Map(placed.map((file) => [file.entry.id, file]));
    const items = await toOwnedItems(
      db,
      rows,
      (row) => row.drive_id,
      (row, drive) => {
        const file = files.get(row.entry_id);
        return file && toAdminShare(row, file, drive, now);
      },
    );
    return { items, total, page: page.page, size: page.size };
  }

  /** Deletes the share. Its link stops working at once. @throws Failure `not-found` */
  delete(caller: Caller, id: number): Promise<void> {
    return this.#parts.actions.perform(caller, async (tx) => {
      const { kind, ownerId, driveId, entryId, shareName } = await this.#parts.shares.remove(tx, id);
      const target = shareName ?? `link ${id}`;
      const entry = {
        action: 'DELETE_SHARE',
        targetType: 'SHARE',
        targetId: id,
        target,
        summary: `Deleted the share ${target}.`,
        details: { kind, ownerId, driveId, fileId: entryId },
      } as const;
      return { result: undefined, entry };
    });
  }
}

function toAdminShare(row: ShareRow, file: EntryWithPath, drive: OwningDrive, now: Instant): AdminShare {
  const { filename, path, size, contentType } = toPersonalRecord(file);
  return {
    id: row.id,
    kind: row.kind,
    token: row.token,
    shareName: row.share_name ?? filename,
    ...drive,
    passwordRequired: row.is_protected === 1,
    // Administrators need no password, just like the owner.
    passwordVerified: true,
    passwordProtected: row.is_protected === 1,
    allowImport: row.allow_import === 1,
    allowDownload: row.allow_download === 1,
    maxDownloads: row.max_downloads,
    downloadCount: row.download_count,
    viewCount: row.view_count,
    expiresAt: row.expires_at === null ? null : toTimestamp(row.expires_at),
    expired: row.expires_at !== null && row.expires_at <= now,
    exhausted: row.max_downloads !== null && row.download_count >= row.max_downloads,
    createdAt: toTimestamp(row.created_at),
    fileId: row.entry_id,
    fileName: filename,
    filePath: path,
    fileSize: size,
    fileContentType: contentType,
  };
}
