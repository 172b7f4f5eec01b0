import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { Database } from './database.ts';

/** The tables whose rows expire, with the column that identifies a row and the one with its expiry time. */
const TABLES = {
  account_token: { key: 'token_hash', end: 'expires_at' },
  credential_attempt: { key: 'key', end: 'expires_at' },
  dav_lock: { key: 'id', end: 'expires_at' },
  ended_session: { key: 'id', end: 'expires_at' },
  lease: { key: 'name', end: 'expires_at' },
  removed_object: { key: 'object_key', end: 'expires_at' },
  used_login_ticket: { key: 'id', end: 'expires_at' },
  upload_reservation: { key: 'id', end: 'expires_at' },
  zip_ticket: { key: 'token_hash', end: 'expires_at' },
} as const;

/** Deleting more rows in one statement would block the event loop for too long. */
const BATCH = 1_000;

/** Deletes the rows that have expired by now, in batches, until all are deleted or the signal aborts. */
export function deleteExpiredRows(
  database: Database,
  table: keyof typeof TABLES,
  now: Instant,
  signal: AbortSignal,
): Promise<void> {
  const from = sql.table(table);
  const [key, end] = [sql.ref(TABLES[table].key), sql.ref(TABLES[table].end)];
  return database.transactInBatches(BATCH, signal, async (tx, limit) => {
    // The row may have been extended after it was selected.
    const { numAffectedRows } = await sql`
      delete from ${from} where ${end} <= ${now} and ${key} in (
        select ${key} from ${from} where ${end} <= ${now} order by ${end} limit ${limit}
      )`.execute(tx);
    return Number(numAffectedRows ?? 0);
  });
}
