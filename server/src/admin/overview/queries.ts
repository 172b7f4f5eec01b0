import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Db } from '../../database/database.ts';

interface AccountTotals {
  readonly users: number;
  readonly files: number;
}

/** Sums the file counts that accounts keep, so that no files are read. */
export async function findAccountTotals(db: Db): Promise<AccountTotals> {
  const { rows } = await sql<AccountTotals>`
    select count(*) as users, cast(coalesce(sum(file_count), 0) as bigint) as files from account`.execute(db);
  return rows[0] ?? { users: 0, files: 0 };
}

/** The bytes that count against the storage limit: the announced sizes of all unexpired OFFLINE transfers. */
export async function sumOfflineBytes(db: Db, now: Instant): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select cast(coalesce(sum(offline_bytes), 0) as bigint) as bytes from transfer_session
    where mode = 'OFFLINE' and expires_at > ${now}`.execute(db);
  return rows[0]?.bytes ?? 0;
}
