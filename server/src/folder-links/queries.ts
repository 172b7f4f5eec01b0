import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { FolderLinkMode } from '../base/domain/folder-links.ts';
import { offsetOf, type PageRequest } from '../base/page.ts';
import type { Db, Tx } from '../database/database.ts';
import type { Flag } from '../database/flag.ts';
import {
  isLiveEntry,
  JOINED_ENTRY_COLUMNS,
  type JoinedEntryRow,
  joinAnyEntry,
  joinLiveEntry,
  toJoinedEntry,
} from '../drive/drive.ts';
import { ownerOf } from '../drives/drives.ts';
import type { FolderLink } from './folder-link.ts';

/** The options of a link that its drive's users choose. */
interface FolderLinkColumns {
  readonly mode: FolderLinkMode;
  readonly title: string;
  readonly note: string | null;
  readonly passwordHash: string | null;
  readonly expiresAt: Instant | null;
  readonly maxFiles: number | null;
  readonly maxBytes: number | null;
}

interface NewFolderLink extends FolderLinkColumns {
  readonly token: string;
  readonly driveId: number;
  readonly creatorId: number;
  readonly entryId: number;
}

/** What the audit log records about a deleted link. */
export interface RemovedFolderLink {
  /** The owner of a personal drive; null for a shared drive. */
  readonly ownerId: number | null;
  readonly driveId: number;
  readonly entryId: number;
  readonly title: string;
}

/**
 * The number of a drive's links, including those to directories in the recycle bin. The caller has locked
 * the drive.
 */
export async function countLinksOf(tx: Tx, driveId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('folder_link')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('drive_id', '=', driveId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns the id of the new link. */
export async function insertFolderLink(tx: Tx, link: NewFolderLink, now: Instant): Promise<number> {
  const { token, driveId, creatorId, entryId } = link;
  const { id } = await tx
    .insertInto('folder_link')
    .values({
      ...{ token, drive_id: driveId, creator_id: creatorId, entry_id: entryId, created_at: now },
      ...{ received_files: 0, received_bytes: 0 },
      mode: link.mode,
      title: link.title,
      note: link.note,
      password_hash: link.passwordHash,
      expires_at: link.expiresAt,
      max_files: link.maxFiles,
      max_bytes: link.maxBytes,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * The link with that token, unless its directory is in the recycle bin, the owner of its personal drive is
 * banned, or its drive is deleted.
 */
export async function findFolderLink(db: Db, token: string): Promise<FolderLink | undefined> {
  const { rows } = await sql<FolderLinkRow>`${FOLDER_LINKS} and folder_link.token = ${token}`.execute(db);
  return rows[0] && toFolderLink(rows[0]);
}

/** Like {@link findFolderLink}. */
export async function findFolderLinkById(db: Db, id: number): Promise<FolderLink | undefined> {
  const { rows } = await sql<FolderLinkRow>`${FOLDER_LINKS} and folder_link.id = ${id}`.execute(db);
  return rows[0] && toFolderLink(rows[0]);
}

/** Keeps a link until the transaction ends. Several transactions can do so. */
export async function lockFolderLink(tx: Tx, id: number): Promise<void> {
  await tx.selectFrom('folder_link').select('id').where('id', '=', id).forShare().execute();
}

/** A drive's links, newest first, including those whose directory is in the recycle bin. */
export async function findFolderLinksOfDrive(
  db: Db,
  driveId: number,
  page: PageRequest,
): Promise<{ items: readonly FolderLink[]; total: number }> {
  const { total } = await db
    .selectFrom('folder_link')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('drive_id', '=', driveId)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<FolderLinkRow>`${ALL_FOLDER_LINKS}
    and folder_link.drive_id = ${driveId}
    order by folder_link.created_at desc, folder_link.id desc
    limit ${page.size} offset ${offsetOf(page)}`.execute(db);
  return { items: rows.map(toFolderLink), total };
}

/** Changes the given columns. @returns false when the drive has no such link to a live directory */
export async function updateFolderLink(
  tx: Tx,
  driveId: number,
  id: number,
  changes: Partial<FolderLinkColumns>,
): Promise<boolean> {
  const { mode, title, note, passwordHash, expiresAt, maxFiles, maxBytes } = changes;
  const { numUpdatedRows } = await tx
    .updateTable('folder_link')
    // Avoids an empty `set` if there is no change.
    .set((link) => ({ drive_id: link.ref('drive_id') }))
    .$if(mode !== undefined, (update) => update.set({ mode: mode ?? 'VIEW' }))
    .$if(title !== undefined, (update) => update.set({ title: title ?? '' }))
    .$if(note !== undefined, (update) => update.set({ note: note ?? null }))
    .$if(passwordHash !== undefined, (update) => update.set({ password_hash: passwordHash ?? null }))
    .$if(expiresAt !== undefined, (update) => update.set({ expires_at: expiresAt ?? null }))
    .$if(maxFiles !== undefined, (update) => update.set({ max_files: maxFiles ?? null }))
    .$if(maxBytes !== undefined, (update) => update.set({ max_bytes: maxBytes ?? null }))
    .where('id', '=', id)
    .where('drive_id', '=', driveId)
    .where(isLiveEntry('folder_link.entry_id'))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Counts a received file if the link still accepts it. One statement checks everything again that may have
 * changed since the link was read, so concurrent uploads can never exceed its limits.
 * @returns false if the link does not accept a file of that size, or no longer does
 */
export async function countReceived(tx: Tx, id: number, bytes: number, now: Instant): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update folder_link set received_files = received_files + 1, received_bytes = received_bytes + ${bytes}
    where id = ${id} and mode <> 'VIEW'
      and (expires_at is null or expires_at > ${now})
      and (max_files is null or received_files < max_files)
      and (max_bytes is null or received_bytes + ${bytes} <= max_bytes)
      and ${isLiveEntry('folder_link.entry_id')}
      and exists (select 1 from drive left join account on account.id = drive.account_id
        where drive.id = folder_link.drive_id and drive.deleted_at is null
          and coalesce(account.banned, 0) = 0)`.execute(tx);
  return numAffectedRows === 1n;
}

/**
 * Locks the account that owns a personal drive until the transaction ends, so that a ban waits. Several
 * transactions can hold this lock.
 */
export async function lockOwner(tx: Tx, accountId: number): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forShare().execute();
}

/** Those of the links that accept files, even if their directory is in the recycle bin. */
export async function findLinksTakingFiles(
  db: Db,
  ids: readonly number[],
  now: Instant,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('folder_link')
    .select('id')
    .where('id', 'in', ids)
    .where('mode', '<>', 'VIEW')
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The drive of a link, even if its directory is in the recycle bin. */
export async function findDriveOfLink(db: Db, id: number): Promise<number | undefined> {
  const row = await db.selectFrom('folder_link').select('drive_id').where('id', '=', id).executeTakeFirst();
  return row?.drive_id;
}

/**
 * Deletes a link, even if its directory is in the recycle bin. Returns undefined if the drive has no such
 * link.
 */
export async function deleteFolderLink(
  tx: Tx,
  driveId: number,
  id: number,
): Promise<RemovedFolderLink | undefined> {
  return tx
    .deleteFrom('folder_link')
    .where('id', '=', id)
    .where('drive_id', '=', driveId)
    .returning([
      ownerOf(sql.ref('folder_link.drive_id')).as('ownerId'),
      'drive_id as driveId',
      'entry_id as entryId',
      'title',
    ])
    .executeTakeFirst();
}

/**
 * Selects links, except those in personal drives of banned accounts and in deleted drives.
 * @param join returns the SQL that joins their directories
 */
const selectFolderLinks = (join: (column: string) => string) =>
  sql.raw(`
  select folder_link.id, folder_link.token, folder_link.drive_id, folder_link.mode, folder_link.title,
    folder_link.note, folder_link.password_hash, folder_link.expires_at, folder_link.max_files,
    folder_link.max_bytes, folder_link.received_files, folder_link.received_bytes, folder_link.created_at,
    drive.account_id, drive.name as drive_name, account.username, account.display_name,
    ${JOINED_ENTRY_COLUMNS},
    case when entry.deleted_at is null then 0 else 1 end as is_in_bin
  from folder_link
  join drive on drive.id = folder_link.drive_id and drive.deleted_at is null
  left join account on account.id = drive.account_id
  ${join('folder_link.entry_id')}
  where coalesce(account.banned, 0) = 0`);

const FOLDER_LINKS = selectFolderLinks(joinLiveEntry);
const ALL_FOLDER_LINKS = selectFolderLinks(joinAnyEntry);

interface FolderLinkRow extends JoinedEntryRow {
  id: number;
  token: string;
  drive_id: number;
  account_id: number | null;
  mode: FolderLinkMode;
  title: string;
  note: string | null;
  password_hash: string | null;
  expires_at: Instant | null;
  max_files: number | null;
  max_bytes: number | null;
  received_files: number;
  received_bytes: number;
  created_at: Instant;
  /** The name of a shared drive, which has no account; null for a personal drive. */
  drive_name: string | null;
  username: string | null;
  display_name: string | null;
  is_in_bin: Flag;
}

function toFolderLink(row: FolderLinkRow): FolderLink {
  return {
    id: row.id,
    token: row.token,
    driveId: row.drive_id,
    accountId: row.account_id,
    ownerName: row.drive_name ?? (row.display_name?.trim() || (row.username ?? '')),
    mode: row.mode,
    title: row.title,
    note: row.note,
    passwordHash: row.password_hash,
    expiresAt: row.expires_at,
    maxFiles: row.max_files,
    maxBytes: row.max_bytes,
    receivedFiles: row.received_files,
    receivedBytes: row.received_bytes,
    createdAt: row.created_at,
    directory: toJoinedEntry(row).entry,
    isInBin: row.is_in_bin === 1,
  };
}
