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
import { endingNotedAfter, expiryNotedFor, type LinkTable, presentCreatorOf } from '../links/links.ts';
import type { FolderLink } from './folder-link.ts';
import type { UnnotifiedFiles } from './received-queries.ts';

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
  /** The files about which the creator has not been told. */
  readonly unnotified: UnnotifiedFiles;
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
      ending_noted: expiryNotedFor(link.expiresAt, now),
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
  now: Instant,
): Promise<boolean> {
  const { mode, title, note, passwordHash, expiresAt, maxFiles, maxBytes } = changes;
  const endingNoted = endingNotedAfter({
    expiresAt,
    expiryNoted: expiryNotedFor(expiresAt, now),
    limits: [
      ...(maxFiles === undefined ? [] : [{ column: 'max_files', value: maxFiles }]),
      ...(maxBytes === undefined ? [] : [{ column: 'max_bytes', value: maxBytes }]),
    ],
  });
  const { numUpdatedRows } = await tx
    .updateTable('folder_link')
    .set({ ending_noted: endingNoted })
    .$if(mode !== undefined, (update) => update.set({ mode: mode ?? 'VIEW' }))
    .$if(title !== undefined, (update) => update.set({ title: title ?? '' }))
    .$if(note !== undefined, (update) => update.set({ note: note ?? null }))
    .$if(passwordHash !== undefined, (update) => update.set({ password_hash: passwordHash ?? null }))
    .$if(expiresAt !== undefined, (update) => update.set({ expires_at: expiresAt ?? null }))
    .$if(maxFiles !== undefined, (update) => update.set({ max_files: maxFiles ?? null }))
    .$if(maxBytes !== undefined, (update) => update.set({ max_bytes: maxBytes ?? null }))
    .$if(maxFiles !== undefined || maxBytes !== undefined, (update) => update.set({ used_up_told_at: null }))
    .where('id', '=', id)
    .where('drive_id', '=', driveId)
    .where(isLiveEntry('folder_link.entry_id'))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
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
  const row = await tx
    .deleteFrom('folder_link')
    .where('id', '=', id)
    .where('drive_id', '=', driveId)
    .returning([
      ownerOf(sql.ref('folder_link.drive_id')).as('ownerId'),
      'entry_id as entryId',
      'title',
      'unnotified_files as files',
      'unnotified_bytes as bytes',
      'unnotified_senders as senders',
      presentCreatorOf('folder_link').as('creatorId'),
      sql<string | null>`(select name from drive where drive.id = folder_link.drive_id)`.as('driveName'),
    ])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { ownerId, entryId, senders, ...unnotified } = row;
  const { title } = unnotified;
  const about = { linkId: id, driveId, directoryId: entryId, senders: JSON.parse(senders) };
  return { ownerId, driveId, entryId, title, unnotified: { ...unnotified, ...about } };
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
    drive.account_id, drive.name as drive_name, account.username, account.display_name, account.avatar_blob_id,
    ${JOINED_ENTRY_COLUMNS},
    case when entry.deleted_at is null then 0 else 1 end as is_in_bin
  from folder_link
  join drive on drive.id = folder_link.drive_id and drive.deleted_at is null
  left join account on account.id = drive.account_id
  ${join('folder_link.entry_id')}
  where coalesce(account.banned, 0) = 0`);

/** Folder links, for the notifications about their end. */
export const FOLDER_LINK_TABLE: LinkTable = {
  name: 'folder_link',
  title: sql.ref('folder_link.title'),
  isLive: isLiveEntry('folder_link.entry_id'),
};

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
  avatar_blob_id: number | null;
  is_in_bin: Flag;
}

function toFolderLink(row: FolderLinkRow): FolderLink {
  return {
    id: row.id,
    token: row.token,
    driveId: row.drive_id,
    accountId: row.account_id,
    ownerName: row.drive_name ?? (row.display_name?.trim() || (row.username ?? '')),
    ownerAvatarId: row.avatar_blob_id,
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
