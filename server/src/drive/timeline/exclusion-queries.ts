import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AccountInDrive, AccountInDrives } from '../../base/domain/drives.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { Entry } from '../entries/entry.ts';
import { ENTRY_COLUMNS, toEntry } from '../entries/entry-queries.ts';

/** The live directories of a drive that an account leaves out, by name. */
export async function findExclusions(
  db: Db,
  { accountId, driveId }: AccountInDrive,
  limit: number,
): Promise<readonly Entry[]> {
  const rows = await db
    .selectFrom('timeline_exclusion')
    .innerJoin('entry', 'entry.id', 'timeline_exclusion.entry_id')
    .where('timeline_exclusion.account_id', '=', accountId)
    .where('timeline_exclusion.drive_id', '=', driveId)
    .where('entry.deleted_at', 'is', null)
    .select(ENTRY_COLUMNS)
    .orderBy('entry.sort_name')
    .orderBy('entry.id')
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

export async function hasExclusions(db: Db, { accountId, driveId }: AccountInDrive): Promise<boolean> {
  const row = await db
    .selectFrom('timeline_exclusion')
    .select('entry_id')
    .where('account_id', '=', accountId)
    .where('drive_id', '=', driveId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Leaves a directory out; does nothing if it is left out already. Those in the bin do not count. The caller
 * has locked the drive.
 * @returns whether there is room for it
 */
export async function insertExclusion(
  tx: Tx,
  { accountId, driveId }: AccountInDrive,
  entryId: number,
  most: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into timeline_exclusion (entry_id, account_id, drive_id)
    select cast(${entryId} as bigint), cast(${accountId} as bigint), cast(${driveId} as bigint)
    where (
      select count(*) from timeline_exclusion as other
      inner join entry on entry.id = other.entry_id and entry.deleted_at is null
      where other.account_id = ${accountId} and other.drive_id = ${driveId} and other.entry_id <> ${entryId}
    ) < ${most}
    on conflict (entry_id, account_id) do update set drive_id = excluded.drive_id`.execute(tx);
  return numAffectedRows === 1n;
}

export async function deleteExclusion(tx: Tx, accountId: number, entryId: number): Promise<void> {
  await tx
    .deleteFrom('timeline_exclusion')
    .where('entry_id', '=', entryId)
    .where('account_id', '=', accountId)
    .execute();
}

export async function deleteExclusionsOf(tx: Tx, { accountId, driveIds }: AccountInDrives): Promise<void> {
  if (driveIds.length === 0) return;
  await tx
    .deleteFrom('timeline_exclusion')
    .where('account_id', '=', accountId)
    .where('drive_id', 'in', driveIds)
    .execute();
}

/** Whether an entry is in none of the directories that an account leaves out, nor anywhere below them. */
export function isNotExcluded({ accountId, driveId }: AccountInDrive): RawBuilder<SqlBool> {
  return sql`entry.parent_id not in (
    with recursive excluded (id) as (
      select entry_id from timeline_exclusion where account_id = ${accountId} and drive_id = ${driveId}
      union
      select child.id from entry as child inner join excluded on child.parent_id = excluded.id
      where child.is_directory = 1
    )
    select id from excluded)`;
}
