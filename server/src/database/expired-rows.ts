import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { Tx } from './database.ts';

/** The tables whose rows end at `expires_at`, and the column that identifies a row. */
const KEYS = { dav_lock: 'id', credential_attempt: 'key', zip_ticket: 'token_hash' } as const;

/** Deletes up to `limit` rows that have expired, those that expired first. Returns how many were deleted. */
export async function deleteExpiredRows(
  tx: Tx,
  table: keyof typeof KEYS,
  now: Instant,
  limit: number,
): Promise<number> {
  const [from, key] = [sql.table(table), sql.ref(KEYS[table])];
  const { numAffectedRows } = await sql`
    delete from ${from} where expires_at <= ${now} and ${key} in (
      select ${key} from ${from} where expires_at <= ${now} order by expires_at limit ${limit}
    )`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
