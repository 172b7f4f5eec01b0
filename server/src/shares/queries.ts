import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { ShareKind } from '../base/domain/shares.ts';
import { offsetOf, type PageRequest } from '../base/page.ts';
import type { Db, Tx } from '../database/database.ts';
import type { Flag } from '../database/flag.ts';
import {
  isLiveEntry,
  JOINED_ENTRY_COLUMNS,
  type JoinedEntryRow,
  joinLiveEntry,
  toJoinedEntry,
} from '../drive/drive.ts';
import { ownerOf } from '../drives/drives.ts';
import { endingNotedAfter, endingNotedAfterRefund, expiryNotedFor, type LinkTable } from '../links/links.ts';
import type { Share } from './share.ts';

interface NewShare {
  readonly kind: ShareKind;
  readonly token: string;
  readonly driveId: number;
  readonly creatorId: number;
  readonly entryId: number;
  readonly shareName: string | null;
  readonly passwordHash: string | null;
  readonly expiresAt: Instant | null;
  readonly maxDownloads: number | null;
  readonly allowImport: boolean;
  readonly allowDownload: boolean;
}

export interface RemovedShare {
  readonly kind: ShareKind;
  /** The owner of a personal drive; null for a shared drive. */
  readonly ownerId: number | null;
  readonly driveId: number;
  readonly entryId: number;
  readonly shareName: string | null;
}

/**
 * Counts all shares of a drive, even those of files in the recycle bin. The caller must have locked the
 * drive.
 */
export async function countSharesOf(tx: Tx, driveId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('share')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('drive_id', '=', driveId)
    .where('kind', '=', 'V2')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether an entry has a share or a legacy link. */
export async function isShared(db: Db, entryId: number): Promise<boolean> {
  const row = await db
    .selectFrom('share')
    .select('id')
    .where('entry_id', '=', entryId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns the id; undefined for a legacy link if the entry already has one */
export async function insertShare(tx: Tx, share: NewShare, now: Instant): Promise<number | undefined> {
  const row = await tx
    .insertInto('share')
    .values({
      kind: share.kind,
      token: share.token,
      drive_id: share.driveId,
      creator_id: share.creatorId,
      entry_id: share.entryId,
      share_name: share.shareName,
      password_hash: share.passwordHash,
      expires_at: share.expiresAt,
      max_downloads: share.maxDownloads,
      allow_import: share.allowImport ? 1 : 0,
      allow_download: share.allowDownload ? 1 : 0,
      download_count: 0,
      view_count: 0,
      created_at: now,
      ending_noted: expiryNotedFor(share.expiresAt, now),
    })
    .onConflict((conflict) => conflict.column('entry_id').where(sql<boolean>`kind = 'LEGACY'`).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** The share with the token, unless its entry is in the recycle bin. */
export async function findShare(db: Db, kind: ShareKind, token: string): Promise<Share | undefined> {
  const query = sql<ShareRow>`${SHARES} and share.token = ${token} and share.kind = ${kind}`;
  return toFirst((await query.execute(db)).rows);
}

export async function findShareById(db: Db, id: number): Promise<Share | undefined> {
  const query = sql<ShareRow>`${SHARES} and share.id = ${id} and share.kind = 'V2'`;
  return toFirst((await query.execute(db)).rows);
}

/** The legacy link of a live entry. */
export async function findShareOfEntry(db: Db, entryId: number): Promise<Share | undefined> {
  const query = sql<ShareRow>`${SHARES} and share.entry_id = ${entryId} and share.kind = 'LEGACY'`;
  return toFirst((await query.execute(db)).rows);
}

/** A drive's shares of live entries, newest first. */
export async function findSharesOfDrive(
  db: Db,
  kind: ShareKind,
  driveId: number,
  page: PageRequest,
): Promise<{ items: readonly Share[]; total: number }> {
  const { total } = await db
    .selectFrom('share')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('share.kind', '=', kind)
    .where('share.drive_id', '=', driveId)
    .where(ENTRY_IS_LIVE)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<ShareRow>`${SHARES}
    and share.drive_id = ${driveId} and share.kind = ${kind}
    order by share.created_at desc, share.id desc
    limit ${page.size} offset ${offsetOf(page)}`.execute(db);
  return { items: rows.map(toShare), total };
}

/** The changed columns of a share. */
export type ShareChanges = Partial<Omit<NewShare, 'kind' | 'token' | 'driveId' | 'creatorId' | 'entryId'>>;

/**
 * Changes a share of a live file. The same statement checks the new budget, so that concurrent downloads
 * cannot spend more. A share name of null becomes the current name of the file.
 * @returns false if the drive has no such share, or it has already spent more than the new budget
 */
export async function updateShare(
  tx: Tx,
  driveId: number,
  id: number,
  changes: ShareChanges,
  now: Instant,
): Promise<boolean> {
  const { shareName, passwordHash, expiresAt, maxDownloads, allowImport, allowDownload } = changes;
  const name = shareName ?? sql<string>`(select name from entry where entry.id = share.entry_id)`;
  const endingNoted = endingNotedAfter({
    expiresAt,
    expiryNoted: expiryNotedFor(expiresAt, now),
    limits: maxDownloads === undefined ? [] : [{ column: 'max_downloads', value: maxDownloads }],
  });
  const query = tx
    .updateTable('share')
    .set({ ending_noted: endingNoted })
    .$if(shareName !== undefined, (update) => update.set({ share_name: name }))
    .$if(passwordHash !== undefined, (update) => update.set({ password_hash: passwordHash ?? null }))
    .$if(expiresAt !== undefined, (update) => update.set({ expires_at: expiresAt ?? null }))
    .$if(maxDownloads !== undefined, (update) =>
      update.set({ max_downloads: maxDownloads ?? null, used_up_told_at: null }),
    )
    .$if(allowImport !== undefined, (update) => update.set({ allow_import: allowImport ? 1 : 0 }))
    .$if(allowDownload !== undefined, (update) => update.set({ allow_download: allowDownload ? 1 : 0 }))
    .where('id', '=', id)
    .where('drive_id', '=', driveId)
    .where('kind', '=', 'V2')
    .where(ENTRY_IS_LIVE);
  const { numUpdatedRows } = await (maxDownloads == null
    ? query
    : query.where('download_count', '<=', maxDownloads)
  ).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes a share. Returns false if the drive has no such share. */
export async function deleteShare(tx: Tx, kind: ShareKind, driveId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('share')
    .where('id', '=', id)
    .where('drive_id', '=', driveId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Deletes a share of either kind, in any drive. Returns undefined if there is none. */
export async function deleteAnyShare(tx: Tx, id: number): Promise<RemovedShare | undefined> {
  return tx
    .deleteFrom('share')
    .where('id', '=', id)
    .returning([
      'kind',
      ownerOf(sql.ref('share.drive_id')).as('ownerId'),
      'drive_id as driveId',
      'entry_id as entryId',
      'share_name as shareName',
    ])
    .executeTakeFirst();
}

/** Refunds one use of the budget, for a download that did not send any bytes. */
export async function refundUnit(tx: Tx, id: number, now: Instant): Promise<void> {
  await sql`update share
    set download_count = download_count - 1, ending_noted = ${endingNotedAfterRefund(now)}
    where id = ${id} and download_count > 0`.execute(tx);
}

/** @returns the new number of views; undefined if the share is gone */
export async function countView(tx: Tx, id: number, now: Instant): Promise<number | undefined> {
  const { rows } = await sql<{ view_count: number }>`
    update share set view_count = view_count + 1, last_accessed_at = ${now}
    where id = ${id} returning view_count`.execute(tx);
  const [row] = rows;
  return row?.view_count;
}

/**
 * Spends one use of the budget. The same statement checks again everything that may have changed since the
 * share was read, so that concurrent calls can never exceed the budget.
 * @returns whether this was the last use; undefined if the share does not, or no longer, allow this use
 */
export async function spendUnit(
  tx: Tx,
  id: number,
  use: 'import' | 'download',
  now: Instant,
): Promise<{ readonly isLast: boolean } | undefined> {
  // Written as SQL text, like every query of a shared download. Building it with Kysely would take as long as
  // running it.
  const { rows } = await sql<{ is_last: Flag }>`
    update share set download_count = download_count + 1, last_accessed_at = ${now}
    where id = ${id}
      and ${use === 'import' ? MAY_IMPORT : MAY_DOWNLOAD}
      and (expires_at is null or expires_at > ${now})
      and (max_downloads is null or download_count < max_downloads)
      and exists (select 1 from drive where drive.id = share.drive_id and drive.deleted_at is null)
      and ${ENTRY_IS_LIVE}
    returning case when download_count = max_downloads then 1 else 0 end as is_last`.execute(tx);
  const [row] = rows;
  return row && { isLast: row.is_last === 1 };
}

const MAY_IMPORT = sql.raw('allow_import = 1');
const MAY_DOWNLOAD = sql.raw('allow_download = 1');

/**
 * Selects shares with their live entries and the location of the bytes. Leaves out shares of banned owners
 * and of deleted drives.
 */
const SHARES = sql.raw(`
  select share.id, share.token, share.drive_id, coalesce(account.username, drive.name) as owner,
    drive.account_id as owner_id, account.avatar_blob_id,
    share.share_name, share.password_hash,
    share.expires_at, share.max_downloads, share.allow_import, share.allow_download, share.download_count,
    share.view_count, share.created_at, ${JOINED_ENTRY_COLUMNS}
  from share
  join drive on drive.id = share.drive_id and drive.deleted_at is null
  left join account on account.id = drive.account_id
  ${joinLiveEntry('share.entry_id')}
  where coalesce(account.banned, 0) = 0`);

const ENTRY_IS_LIVE = isLiveEntry('share.entry_id');

/** Shares, for the notifications about their end. */
export const SHARE_TABLE: LinkTable = {
  name: 'share',
  title: sql`coalesce(share.share_name, '')`,
  isLive: ENTRY_IS_LIVE,
};

interface ShareRow extends JoinedEntryRow {
  id: number;
  token: string;
  drive_id: number;
  owner: string;
  owner_id: number | null;
  avatar_blob_id: number | null;
  share_name: string | null;
  password_hash: string | null;
  expires_at: Instant | null;
  max_downloads: number | null;
  allow_import: Flag;
  allow_download: Flag;
  download_count: number;
  view_count: number;
  created_at: Instant;
}

function toShare(row: ShareRow): Share {
  return {
    id: row.id,
    token: row.token,
    driveId: row.drive_id,
    ownerId: row.owner_id,
    ownerUsername: row.owner,
    ownerAvatarId: row.avatar_blob_id,
    shareName: row.share_name,
    passwordHash: row.password_hash,
    expiresAt: row.expires_at,
    maxDownloads: row.max_downloads,
    allowImport: row.allow_import === 1,
    allowDownload: row.allow_download === 1,
    downloadCount: row.download_count,
    viewCount: row.view_count,
    createdAt: row.created_at,
    ...toJoinedEntry(row),
  };
}

function toFirst([row]: readonly ShareRow[]): Share | undefined {
  return row && toShare(row);
}
