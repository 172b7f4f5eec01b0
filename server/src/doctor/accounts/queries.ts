import { sql } from 'kysely';
import type { Db, Tx } from '../../database/database.ts';
import type { IdRange } from '../row-check.ts';

/** The counters recorded for an account, and what its entries really add up to. */
interface AccountSums {
  readonly id: number;
  readonly username: string;
  readonly recordedBytes: number;
  readonly usedBytes: number;
  readonly recordedFiles: number;
  readonly files: number;
  readonly recordedEntries: number;
  readonly entries: number;
  readonly recordedKeptBytes: number;
  readonly keptBytes: number;
  readonly roots: number;
}

// The conditions match a partial index. Directories have no bytes; the entry rules check that.
const USED_BYTES = sql<number>`(select cast(coalesce(sum(entry.size), 0) as bigint) from entry
  where entry.owner_id = account.id and entry.is_directory = 0 and entry.deleted_at is null)`;

const FILES = sql<number>`(select count(*) from entry
  where entry.owner_id = account.id and entry.is_directory = 0 and entry.deleted_at is null)`;

const LIVE_ENTRIES = sql<number>`(select count(*) from entry
  where entry.owner_id = account.id and entry.parent_id is not null and entry.deleted_at is null)`;

const VERSION_BYTES = sql<number>`(select cast(coalesce(sum(file_version.size), 0) as bigint)
  from file_version where file_version.owner_id = account.id)`;

export async function findAccountSums(db: Db, { after, through }: IdRange): Promise<readonly AccountSums[]> {
  const { rows } = await sql<AccountSums>`
    select account.id, account.username, account.storage_used_bytes as "recordedBytes",
      ${USED_BYTES} as "usedBytes", account.file_count as "recordedFiles", ${FILES} as files,
      account.entry_count as "recordedEntries", ${LIVE_ENTRIES} + coalesce(recycled.entries, 0) as entries,
      account.kept_bytes as "recordedKeptBytes",
      cast(${VERSION_BYTES} + coalesce(recycled.bytes, 0) as bigint) as "keptBytes",
      (select count(*) from entry
        where entry.owner_id = account.id and entry.parent_id is null and entry.deleted_at is null) as roots
    from account
    left join (
      -- One pass over the recycle bins of all accounts: no index has them by owner.
      select owner_id, count(*) as entries, sum(size) as bytes from entry where bin_root_id is not null group by owner_id
    ) as recycled on recycled.owner_id = account.id
    where account.id > ${after} and account.id <= ${through} order by account.id`.execute(db);
  return rows;
}

/** Blocks all changes to the account's drive until the transaction ends. */
export async function lockAccount(tx: Tx, id: number): Promise<void> {
  await sql`update account set storage_used_bytes = storage_used_bytes where id = ${id}`.execute(tx);
}

export async function recountUsage(tx: Tx, id: number): Promise<void> {
  await sql`update account set storage_used_bytes = ${USED_BYTES} where id = ${id}`.execute(tx);
}

export async function recountFiles(tx: Tx, id: number): Promise<void> {
  await sql`update account set file_count = ${FILES} where id = ${id}`.execute(tx);
}

export async function recountEntries(tx: Tx, id: number): Promise<void> {
  await sql`update account set entry_count = ${LIVE_ENTRIES} + (
      select count(*) from entry where entry.owner_id = account.id and entry.bin_root_id is not null
    ) where id = ${id}`.execute(tx);
}

export async function recountKeptBytes(tx: Tx, id: number): Promise<void> {
  await sql`update account set kept_bytes = ${VERSION_BYTES} + (
      select coalesce(sum(entry.size), 0) from entry
      where entry.owner_id = account.id and entry.bin_root_id is not null
    ) where id = ${id}`.execute(tx);
}
