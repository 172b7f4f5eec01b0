import { sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';
import type { IdRange } from './row-check.ts';

export interface AccountSums {
  readonly id: number;
  readonly username: string;
  readonly charged: number;
  readonly used: number;
  readonly counted: number;
  readonly files: number;
  readonly roots: number;
}

// A directory has no bytes, which the check of the entries looks at. The conditions are those of an index.
const USED = sql<number>`(select cast(coalesce(sum(entry.size), 0) as bigint) from entry
  where entry.owner_id = account.id and entry.is_directory = 0 and entry.deleted_at is null)`;

const FILES = sql<number>`(select count(*) from entry
  where entry.owner_id = account.id and entry.is_directory = 0 and entry.deleted_at is null)`;

export async function findAccountSums(db: Db, { after, through }: IdRange): Promise<readonly AccountSums[]> {
  const { rows } = await sql<AccountSums>`
    select account.id, account.username, account.storage_used_bytes as charged, ${USED} as used,
      account.file_count as counted, ${FILES} as files,
      (select count(*) from entry
        where entry.owner_id = account.id and entry.parent_id is null and entry.deleted_at is null) as roots
    from account where account.id > ${after} and account.id <= ${through} order by account.id`.execute(db);
  return rows;
}

/** Nobody changes the account's drive until the transaction ends. */
export async function holdAccount(tx: Tx, id: number): Promise<void> {
  await sql`update account set storage_used_bytes = storage_used_bytes where id = ${id}`.execute(tx);
}

export async function putUsage(tx: Tx, id: number): Promise<void> {
  await sql`update account set storage_used_bytes = ${USED} where id = ${id}`.execute(tx);
}

export async function putFileCount(tx: Tx, id: number): Promise<void> {
  await sql`update account set file_count = ${FILES} where id = ${id}`.execute(tx);
}
