import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { DriveKind } from '../../base/domain/drives.ts';
import { offsetOf, type PageRequest } from '../../base/page.ts';
import { containsText } from '../../database/contains-text.ts';
import type { Db } from '../../database/database.ts';
import { PURGING } from '../../drives/drives.ts';

export interface DriveRow {
  readonly id: number;
  readonly kind: DriveKind;
  readonly name: string | null;
  /** The owner of a personal drive. */
  readonly ownerId: number | null;
  readonly ownerUsername: string | null;
  readonly creatorId: number | null;
  readonly usedBytes: number;
  readonly quotaBytes: number;
  readonly entryCount: number;
  readonly maxEntries: number;
  readonly fileCount: number;
  readonly maxUploadBytes: number;
  readonly memberCount: number;
  readonly managerCount: number;
  readonly createdAt: Instant;
  readonly deletedAt: Instant | null;
}

export interface DriveFilter {
  /** Part of the name of a shared drive, or of the username of an owner, folded; undefined for all. */
  readonly query: string | undefined;
  readonly kind: DriveKind | undefined;
  readonly deleted: boolean | undefined;
}

/** Drives that match the filter, newest first. */
export async function findDrives(
  db: Db,
  filter: DriveFilter,
  page: PageRequest,
): Promise<{ items: readonly DriveRow[]; total: number }> {
  const { total } = await filterDrives(db, filter)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  // First only the ids: PostgreSQL would count the members of every drive before the page.
  const ids = await filterDrives(db, filter)
    .select('drive.id')
    .orderBy('drive.id', 'desc')
    .limit(page.size)
    .offset(offsetOf(page))
    .execute();
  if (ids.length === 0) return { items: [], total };
  const items = await selectDrives(joinOwners(db))
    .where(
      'drive.id',
      'in',
      ids.map(({ id }) => id),
    )
    .orderBy('drive.id', 'desc')
    .execute();
  return { items, total };
}

/** A drive, live or deleted. Undefined once its purge has begun. */
export async function findDrive(db: Db, id: number): Promise<DriveRow | undefined> {
  return selectDrives(joinOwners(db)).where('drive.id', '=', id).executeTakeFirst();
}

/** The usernames of the managers of these drives, by drive. The owner of a personal drive is its manager. */
export async function findManagerNames(
  db: Db,
  driveIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (driveIds.length === 0) return new Map();
  const managers = await db
    .selectFrom('drive_member')
    .innerJoin('account', 'account.id', 'drive_member.account_id')
    .select(['drive_member.drive_id as driveId', 'account.username'])
    .where('drive_member.drive_id', 'in', driveIds)
    .where('drive_member.role', '=', 'MANAGER')
    .orderBy('account.username')
    .execute();
  const owners = await db
    .selectFrom('drive')
    .innerJoin('account', 'account.id', 'drive.account_id')
    .select(['drive.id as driveId', 'account.username'])
    .where('drive.id', 'in', driveIds)
    .execute();
  const names = new Map<number, string[]>();
  for (const { driveId, username } of [...managers, ...owners]) {
    names.set(driveId, [...(names.get(driveId) ?? []), username]);
  }
  return names;
}

/** All drives but those whose purge has begun, which no one can restore. */
function joinOwners(db: Db) {
  return db
    .selectFrom('drive')
    .leftJoin('account', 'account.id', 'drive.account_id')
    .where((where) =>
      where.or([where('drive.deleted_at', 'is', null), where('drive.deleted_at', '>', PURGING)]),
    );
}

function filterDrives(db: Db, { query, kind, deleted }: DriveFilter) {
  let drives = joinOwners(db);
  if (query !== undefined) {
    drives = drives.where((where) =>
      where.or([containsText('drive.folded_name', query), containsText('account.folded_username', query)]),
    );
  }
  if (kind !== undefined) drives = drives.where('drive.kind', '=', kind);
  if (deleted !== undefined) drives = drives.where('drive.deleted_at', deleted ? 'is not' : 'is', null);
  return drives;
}

/** A personal drive has one member, its owner, who may do everything. */
const MEMBERS = sql<number>`case when drive.kind = 'PERSONAL' then 1 else drive.member_count end`;

const MANAGERS = sql<number>`case when drive.kind = 'PERSONAL' then 1 else (select count(*) from drive_member
  where drive_member.drive_id = drive.id and drive_member.role = 'MANAGER') end`;

function selectDrives(drives: ReturnType<typeof joinOwners>) {
  return drives
    .select([
      'drive.id',
      'drive.kind',
      'drive.name',
      'drive.account_id as ownerId',
      'account.username as ownerUsername',
      'drive.creator_id as creatorId',
      'drive.used_bytes as usedBytes',
      'drive.quota_bytes as quotaBytes',
      'drive.entry_count as entryCount',
      'drive.max_entries as maxEntries',
      'drive.file_count as fileCount',
      'drive.max_upload_bytes as maxUploadBytes',
      'drive.created_at as createdAt',
      'drive.deleted_at as deletedAt',
    ])
    .select(MEMBERS.as('memberCount'))
    .select(MANAGERS.as('managerCount'));
}
