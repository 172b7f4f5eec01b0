import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { DriveKind, DriveRole } from '../../base/domain/drives.ts';
import type { Db, Tx } from '../../database/database.ts';
import { MAX_LISTED_DRIVES } from '../bounds.ts';
import { type DriveLimits, toDriveNameColumns } from '../queries.ts';

/** A drive as one of its members sees it. */
export interface DriveOfMember extends DriveLimits {
  readonly id: number;
  readonly kind: DriveKind;
  /** Null for a personal drive. */
  readonly name: string | null;
  readonly role: DriveRole;
  readonly usedBytes: number;
  readonly entryCount: number;
  readonly memberCount: number;
  readonly createdAt: Instant;
  readonly deletedAt: Instant | null;
}

/*
 * When a member deletes a shared drive, its `deleted_at` becomes the current time. When its purge begins, it
 * becomes PURGING, in a transaction that locks the drive. From then on, the drive cannot be restored.
 */
export const PURGING = 0;

/** The live drives of an account, or its deleted ones, in no particular order. */
export async function findDrivesOf(
  db: Db,
  accountId: number,
  { areDeleted }: { readonly areDeleted: boolean },
): Promise<readonly DriveOfMember[]> {
  const { rows } = await sql<DriveOfMember>`${selectDrivesOf(accountId)}
    and ${areDeleted ? sql`drive.deleted_at > ${PURGING}` : sql`drive.deleted_at is null`}
    order by drive.kind, drive.id limit ${MAX_LISTED_DRIVES + 1}`.execute(db);
  return rows;
}

/** A live drive of an account. */
export async function findDriveOf(
  db: Db,
  accountId: number,
  driveId: number,
): Promise<DriveOfMember | undefined> {
  const { rows } = await sql<DriveOfMember>`${selectDrivesOf(accountId)}
    and drive.deleted_at is null and drive.id = ${driveId}`.execute(db);
  return rows[0];
}

function selectDrivesOf(accountId: number) {
  return sql`
    select drive.id, drive.kind, drive.name, coalesce(own.role, 'MANAGER') as role,
      drive.used_bytes as "usedBytes", drive.quota_bytes as "quotaBytes",
      drive.entry_count as "entryCount", drive.max_entries as "maxEntries",
      drive.max_upload_bytes as "maxUploadBytes", drive.created_at as "createdAt",
      drive.deleted_at as "deletedAt",
      case when drive.kind = 'PERSONAL' then 1 else drive.member_count end as "memberCount"
    from drive left join drive_member as own on own.drive_id = drive.id and own.account_id = ${accountId}
    where drive.id in (
      select id from drive where account_id = ${accountId}
      union all select drive_id from drive_member where account_id = ${accountId}
    )`;
}

/** The role of a member in a shared drive that may be deleted. */
export async function findRoleInAny(
  db: Db,
  accountId: number,
  driveId: number,
): Promise<{ readonly role: DriveRole; readonly deletedAt: Instant | null } | undefined> {
  return db
    .selectFrom('drive_member')
    .innerJoin('drive', 'drive.id', 'drive_member.drive_id')
    .select(['drive_member.role', 'drive.deleted_at as deletedAt'])
    .where('drive_member.account_id', '=', accountId)
    .where('drive_member.drive_id', '=', driveId)
    .where((where) =>
      where.or([where('drive.deleted_at', 'is', null), where('drive.deleted_at', '>', PURGING)]),
    )
    .executeTakeFirst();
}

/**
 * Counts the shared drives that an account has created, including deleted ones. Exact if the transaction has
 * locked the account.
 */
export async function countCreatedDrives(tx: Tx, creatorId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('drive')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('creator_id', '=', creatorId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface NewSharedDrive {
  readonly name: string;
  readonly creatorId: number;
  readonly limits: DriveLimits;
}

/** Inserts a shared drive, without a root and without members. Returns its id. */
export async function insertSharedDrive(
  tx: Tx,
  { name, creatorId, limits: { quotaBytes, maxUploadBytes, maxEntries } }: NewSharedDrive,
  now: Instant,
): Promise<number> {
  const { id } = await tx
    .insertInto('drive')
    .values({
      ...{
        kind: 'SHARED',
        account_id: null,
        ...toDriveNameColumns(name),
        creator_id: creatorId,
        created_at: now,
      },
      ...{ quota_bytes: quotaBytes, max_upload_bytes: maxUploadBytes, max_entries: maxEntries },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Renames a shared drive. The transaction must have locked it. */
export async function setDriveName(tx: Tx, id: number, name: string, now: Instant): Promise<void> {
  await tx
    .updateTable('drive')
    .set({
      ...toDriveNameColumns(name),
      named_at: sql<Instant | null>`case when name = ${name} then named_at else cast(${now} as bigint) end`,
    })
    .where('id', '=', id)
    .where('kind', '=', 'SHARED')
    .execute();
}

/** The name of a live shared drive. Undefined for a personal drive. */
export async function findDriveName(db: Db, id: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('drive')
    .select('name')
    .where('id', '=', id)
    .where('kind', '=', 'SHARED')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.name ?? undefined;
}

/** Marks a live shared drive as deleted. Returns false if there is none. */
export async function markDeleted(tx: Tx, id: number, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('drive')
    .set({ deleted_at: now })
    .where('id', '=', id)
    .where('kind', '=', 'SHARED')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Makes a deleted drive live again. Returns false if there is none, or its purge has begun. */
export async function markRestored(tx: Tx, id: number, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('drive')
    .set({ deleted_at: null, named_at: now })
    .where('id', '=', id)
    .where('deleted_at', '>', PURGING)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Marks a drive so that it can no longer be restored. Returns false if it was deleted later than `before`, or
 * is not deleted.
 */
export async function markPurging(tx: Tx, id: number, before: Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('drive')
    .set({ deleted_at: PURGING })
    .where('id', '=', id)
    .where('deleted_at', '<=', before)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The deleted drives whose ids are greater than `after`, in order. */
export async function findDeletedDrives(
  db: Db,
  after: number,
  limit: number,
): Promise<readonly { readonly id: number; readonly deletedAt: Instant | null }[]> {
  return db
    .selectFrom('drive')
    .select(['id', 'deleted_at as deletedAt'])
    .where('deleted_at', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function isDeleted(tx: Tx, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('drive')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The number of files and directories besides the root. Undefined if there is no such drive. */
export async function countEntriesOf(db: Db, id: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('drive')
    .select('entry_count as entryCount')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.entryCount;
}
