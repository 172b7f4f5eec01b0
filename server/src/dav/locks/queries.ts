import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { AccountInDrives } from '../../base/domain/drives.ts';
import { childOf, type LogicalPath } from '../../base/text/names/logical-path.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { DavLockTable } from '../../database/tables/drive.ts';
import type { Lock, PlacedLock } from './lock.ts';

const COLUMNS = [
  'id',
  'token',
  'entry_id',
  'account_id',
  'is_exclusive',
  'is_deep',
  'owner_xml',
  'expires_at',
] as const;

type LockRow = Pick<DavLockTable, Exclude<(typeof COLUMNS)[number], 'id'>> & { id: number };

function toLock(row: LockRow): Lock {
  return {
    id: row.id,
    token: row.token,
    entryId: row.entry_id,
    accountId: row.account_id,
    isExclusive: row.is_exclusive === 1,
    isDeep: row.is_deep === 1,
    owner: row.owner_xml,
    expiresAt: row.expires_at,
  };
}

/**
 * The locks of a drive that have not expired, with the places of their roots. Takes two queries, or one if
 * there are no locks.
 */
export async function findLocks(db: Db, driveId: number, now: Instant): Promise<readonly PlacedLock[]> {
  const rows = await db
    .selectFrom('dav_lock')
    .select(COLUMNS)
    .where('drive_id', '=', driveId)
    .where('expires_at', '>', now)
    .orderBy('id')
    .execute();
  if (rows.length === 0) return [];
  const places = await findPlaces(db, [...new Set(rows.map((row) => row.entry_id))]);
  return rows.flatMap((row) => {
    const place = places.get(row.entry_id);
    // An entry has no place if it was moved to the recycle bin, but not over WebDAV, which would have ended
    // the lock.
    return place === undefined ? [] : [{ ...toLock(row), ...place }];
  });
}

type EntryPlace = Pick<PlacedLock, 'chain' | 'path' | 'isDirectory'>;

interface PlacedRow {
  readonly id: number;
  readonly parent_id: number | null;
  readonly name: string;
  readonly is_directory: 0 | 1;
}

/**
 * The places of live entries. Each directory above them is read only once, however many of the entries it
 * contains.
 */
async function findPlaces(db: Db, entryIds: readonly number[]): Promise<ReadonlyMap<number, EntryPlace>> {
  const { rows } = await sql<PlacedRow>`
    with recursive up (id, parent_id, name, is_directory) as (
      select id, parent_id, name, is_directory from entry
      where id in (${sql.join(entryIds)}) and deleted_at is null
      union
      select entry.id, entry.parent_id, entry.name, entry.is_directory
      from up join entry on entry.id = up.parent_id
    )
    select id, parent_id, name, is_directory from up`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const places = new Map<number, EntryPlace>();
  for (const id of entryIds) {
    const row = byId.get(id);
    if (row !== undefined) places.set(id, toPlace(row, byId));
  }
  return places;
}

function toPlace(row: PlacedRow, byId: ReadonlyMap<number, PlacedRow>): EntryPlace {
  const way = [row];
  for (let above = row.parent_id; above !== null; ) {
    const directory = byId.get(above);
    if (directory === undefined) break;
    way.unshift(directory);
    above = directory.parent_id;
  }
  // The first one is the root of the drive, which has no name.
  const path = way.slice(1).reduce((parent, { name }) => childOf(parent, name), '/' as LogicalPath);
  return { chain: way.map(({ id }) => id), path, isDirectory: row.is_directory === 1 };
}

/**
 * Inserts a lock unless it conflicts with a lock on the same entry, or the entry, the drive or the account
 * in a shared drive has too many. Returns whether it was inserted. The caller has locked the drive and
 * checked the lock against those of other entries.
 */
export async function insertLock(
  tx: Tx,
  lock: Omit<Lock, 'id'> & { readonly driveId: number; readonly createdAt: Instant },
  limits: { readonly perEntry: number; readonly perDrive: number; readonly perMember: number },
): Promise<boolean> {
  const { driveId, entryId, createdAt: now } = lock;
  const { numAffectedRows } = await sql`
    insert into dav_lock (token, drive_id, entry_id, account_id, is_exclusive, is_deep, owner_xml, expires_at,
      created_at)
    select cast(${lock.token} as text), cast(${driveId} as bigint), cast(${entryId} as bigint),
      cast(${lock.accountId} as bigint),
      cast(${lock.isExclusive ? 1 : 0} as bigint), cast(${lock.isDeep ? 1 : 0} as bigint),
      cast(${lock.owner} as text), cast(${lock.expiresAt} as bigint), cast(${now} as bigint)
    where not exists (
        select 1 from dav_lock where entry_id = ${entryId} and expires_at > ${now}
          and (is_exclusive = 1 or ${lock.isExclusive ? 1 : 0} = 1))
      and (select count(*) from dav_lock where entry_id = ${entryId} and expires_at > ${now}) < ${limits.perEntry}
      and (select count(*) from dav_lock where drive_id = ${driveId} and expires_at > ${now})
        < ${limits.perDrive}
      and ((select kind from drive where id = ${driveId}) = 'PERSONAL'
        or (select count(*) from dav_lock
          where drive_id = ${driveId} and account_id = ${lock.accountId} and expires_at > ${now})
          < ${limits.perMember})`.execute(tx);
  return numAffectedRows === 1n;
}

export async function extendLock(tx: Tx, id: number, expiresAt: Instant): Promise<void> {
  await tx.updateTable('dav_lock').set({ expires_at: expiresAt }).where('id', '=', id).execute();
}

export async function deleteLocks(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.deleteFrom('dav_lock').where('id', 'in', ids).execute();
}

/** Deletes the locks of an account in some drives. */
export async function deleteLocksOf(tx: Tx, { accountId, driveIds }: AccountInDrives): Promise<void> {
  if (driveIds.length === 0) return;
  await tx
    .deleteFrom('dav_lock')
    .where('drive_id', 'in', driveIds)
    .where('account_id', '=', accountId)
    .execute();
}
