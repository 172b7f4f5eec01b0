import { sql } from 'kysely';
import type { Db, Tx } from '../../database/database.ts';
import type { Flag } from '../../database/flag.ts';
import { toDriveNameColumns } from '../../drives/drives.ts';
import { isOn, type KeyPage, limitOf, readKeys } from '../queries.ts';
import type { IdRange } from '../row-check.ts';

/** The counters recorded for a drive, and what its entries really add up to. */
interface DriveSums {
  readonly id: number;
  /** Null for a personal drive. */
  readonly name: string | null;
  /** The owner of a personal drive; null for a shared one. */
  readonly username: string | null;
  readonly recordedBytes: number;
  readonly usedBytes: number;
  readonly recordedFiles: number;
  readonly files: number;
  readonly recordedEntries: number;
  readonly entries: number;
  readonly recordedKeptBytes: number;
  readonly keptBytes: number;
  readonly roots: number;
  /** Whether a live shared drive lacks a manager. */
  readonly lacksManager: Flag;
  readonly foldedName: string | null;
}

// The conditions match a partial index. Directories have no bytes; the entry rules check that.
const USED_BYTES = sql<number>`(select cast(coalesce(sum(entry.size), 0) as bigint) from entry
  where entry.drive_id = drive.id and entry.is_directory = 0 and entry.deleted_at is null)`;

const FILES = sql<number>`(select count(*) from entry
  where entry.drive_id = drive.id and entry.is_directory = 0 and entry.deleted_at is null)`;

const LIVE_ENTRIES = sql<number>`(select count(*) from entry
  where entry.drive_id = drive.id and entry.parent_id is not null and entry.deleted_at is null)`;

const VERSION_BYTES = sql<number>`(select cast(coalesce(sum(file_version.size), 0) as bigint)
  from file_version where file_version.drive_id = drive.id)`;

export async function findDriveSums(db: Db, { after, through }: IdRange): Promise<readonly DriveSums[]> {
  const { rows } = await sql<DriveSums>`
    select drive.id, drive.name, account.username, drive.used_bytes as "recordedBytes",
      ${USED_BYTES} as "usedBytes", drive.file_count as "recordedFiles", ${FILES} as files,
      drive.entry_count as "recordedEntries", ${LIVE_ENTRIES} + coalesce(recycled.entries, 0) as entries,
      drive.kept_bytes as "recordedKeptBytes",
      cast(${VERSION_BYTES} + coalesce(recycled.bytes, 0) as bigint) as "keptBytes",
      (select count(*) from entry
        where entry.drive_id = drive.id and entry.parent_id is null and entry.deleted_at is null) as roots,
      case when drive.kind = 'SHARED' and drive.deleted_at is null and not exists (
        select 1 from drive_member where drive_member.drive_id = drive.id and drive_member.role = 'MANAGER'
      ) then 1 else 0 end as "lacksManager",
      drive.folded_name as "foldedName"
    from drive left join account on account.id = drive.account_id
    left join (
      -- One pass over the recycle bins of all drives: no index has them by drive.
      select drive_id, count(*) as entries, sum(size) as bytes from entry where bin_root_id is not null group by drive_id
    ) as recycled on recycled.drive_id = drive.id
    where drive.id > ${after} and drive.id <= ${through} order by drive.id`.execute(db);
  return rows;
}

/** Blocks all changes to the drive until the transaction ends. */
export async function lockDrive(tx: Tx, id: number): Promise<void> {
  await sql`update drive set used_bytes = used_bytes where id = ${id}`.execute(tx);
}

export async function recountUsage(tx: Tx, id: number): Promise<void> {
  await sql`update drive set used_bytes = ${USED_BYTES} where id = ${id}`.execute(tx);
}

export async function recountFiles(tx: Tx, id: number): Promise<void> {
  await sql`update drive set file_count = ${FILES} where id = ${id}`.execute(tx);
}

export async function recountEntries(tx: Tx, id: number): Promise<void> {
  await sql`update drive set entry_count = ${LIVE_ENTRIES} + (
      select count(*) from entry where entry.drive_id = drive.id and entry.bin_root_id is not null
    ) where id = ${id}`.execute(tx);
}

export async function recountKeptBytes(tx: Tx, id: number): Promise<void> {
  await sql`update drive set kept_bytes = ${VERSION_BYTES} + (
      select coalesce(sum(entry.size), 0) from entry
      where entry.drive_id = drive.id and entry.bin_root_id is not null
    ) where id = ${id}`.execute(tx);
}

/** Writes the stored form of a shared drive's name again. */
export async function refoldName(tx: Tx, id: number): Promise<void> {
  const row = await tx.selectFrom('drive').select('name').where('id', '=', id).executeTakeFirst();
  const columns = row?.name ? toDriveNameColumns(row.name) : { folded_name: null };
  await tx.updateTable('drive').set(columns).where('id', '=', id).execute();
}

/** Accounts that do not have exactly one personal drive. */
export function findAccountsWithoutOneDrive(db: Db, page: KeyPage): Promise<readonly string[]> {
  const key = sql`cast(account.id as text)`;
  return readKeys(
    db,
    sql`select ${key} as key from account
      where (select count(*) from drive where drive.account_id = account.id and drive.kind = 'PERSONAL') <> 1
        and ${isOn(page, key)}
      order by key ${limitOf(page)}`,
  );
}

/** Personal drives with members. */
export function findPersonalDrivesWithMembers(db: Db, page: KeyPage): Promise<readonly string[]> {
  const key = sql`cast(drive.id as text)`;
  return readKeys(
    db,
    sql`select ${key} as key from drive
      where drive.kind = 'PERSONAL'
        and exists (select 1 from drive_member where drive_member.drive_id = drive.id) and ${isOn(page, key)}
      order by key ${limitOf(page)}`,
  );
}
