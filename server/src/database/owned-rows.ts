import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * The tables whose rows belong to an account or a drive, with the column that identifies a row and the one
 * with the owner.
 */
const TABLES = {
  account_token: { key: 'token_hash', owner: 'account_id' },
  active_day: { key: 'day', owner: 'account_id' },
  app_password: { key: 'id', owner: 'account_id' },
  dav_lock: { key: 'id', owner: 'drive_id' },
  ended_session: { key: 'id', owner: 'account_id' },
  event: { key: 'id', owner: 'drive_id' },
  known_login: { key: 'key', owner: 'account_id' },
  last_activity: { key: 'account_id', owner: 'account_id' },
  mail: { key: 'id', owner: 'account_id' },
  mail_count: { key: 'account_id', owner: 'account_id' },
  notification: { key: 'id', owner: 'account_id' },
  notification_setting: { key: 'kind', owner: 'account_id' },
  passkey: { key: 'id', owner: 'account_id' },
  recovery_code: { key: 'code_hash', owner: 'account_id' },
  session: { key: 'id', owner: 'account_id' },
  star: { key: 'entry_id', owner: 'account_id' },
  task: { key: 'id', owner: 'drive_id' },
  timeline_exclusion: { key: 'entry_id', owner: 'account_id' },
  totp: { key: 'account_id', owner: 'account_id' },
  upload_reservation: { key: 'id', owner: 'drive_id' },
  upload_session: { key: 'id', owner: 'drive_id' },
  upload_ticket: { key: 'object_key', owner: 'account_id' },
  zip_ticket: { key: 'token_hash', owner: 'drive_id' },
} as const;

/** Deleting more rows in one statement would block the event loop for too long. */
const BATCH = 500;

/**
 * Deletes the rows of an account or a drive that is being deleted, in batches.
 * @throws when the signal aborts
 */
export async function deleteRowsOf(
  database: Database,
  table: keyof typeof TABLES,
  ownerId: number,
  signal: AbortSignal,
): Promise<void> {
  const from = sql.table(table);
  const [key, owner] = [sql.ref(TABLES[table].key), sql.ref(TABLES[table].owner)];
  await database.transactInBatches(BATCH, signal, async (tx, limit) => {
    const { numAffectedRows } = await sql`
      delete from ${from} where ${owner} = ${ownerId} and ${key} in (
        select ${key} from ${from} where ${owner} = ${ownerId} limit ${limit}
      )`.execute(tx);
    return Number(numAffectedRows ?? 0);
  });
  signal.throwIfAborted();
}
