import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { Db, Tx } from '../database/database.ts';

/** Adds requests to the counts of their quarters of an hour, to which other instances also add. */
export async function addRequests(tx: Tx, counts: ReadonlyMap<Instant, number>): Promise<void> {
  if (counts.size === 0) return;
  // All instances use the same order of rows: otherwise two of them could deadlock.
  const rows = [...counts].toSorted(([a], [b]) => a - b);
  await sql`insert into request_count (quarter, requests)
    values ${sql.join(rows.map(([quarter, requests]) => sql`(${quarter}, ${requests})`))}
    on conflict (quarter) do update set requests = request_count.requests + excluded.requests`.execute(tx);
}

/** Records the days on which accounts were active. Known pairs are ignored. */
export async function addActiveAccounts(
  tx: Tx,
  rows: readonly { day: string; accountId: number }[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`insert into active_day (day, account_id)
    values ${sql.join(rows.map(({ day, accountId }) => sql`(${day}, ${accountId})`))}
    on conflict (day, account_id) do nothing`.execute(tx);
}

/**
 * Records the last activity of accounts; an older time is ignored.
 * @param rows in the order of the account ids, so that two instances cannot deadlock
 */
export async function putLastActivity(
  tx: Tx,
  rows: readonly { accountId: number; activeAt: Instant }[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`insert into last_activity (account_id, active_at)
    values ${sql.join(rows.map(({ accountId, activeAt }) => sql`(${accountId}, ${activeAt})`))}
    on conflict (account_id) do update set active_at = excluded.active_at
    where excluded.active_at > last_activity.active_at`.execute(tx);
}

export async function findRequestCounts(
  db: Db,
  from: Instant,
): Promise<readonly { quarter: Instant; requests: number }[]> {
  return db
    .selectFrom('request_count')
    .select(['quarter', 'requests'])
    .where('quarter', '>=', from)
    .orderBy('quarter')
    .execute();
}

/** The names of the active accounts of each day since `fromDay`. */
export async function findActiveUsernames(
  db: Db,
  fromDay: string,
): Promise<readonly { day: string; username: string }[]> {
  return db
    .selectFrom('active_day')
    .innerJoin('account', 'account.id', 'active_day.account_id')
    .select(['active_day.day', 'account.username'])
    .where('active_day.day', '>=', fromDay)
    .orderBy('active_day.day')
    .orderBy('account.folded_username')
    .execute();
}

export async function deleteActivityBefore(tx: Tx, instant: Instant, day: string): Promise<void> {
  await tx.deleteFrom('request_count').where('quarter', '<', instant).execute();
  await tx.deleteFrom('active_day').where('day', '<', day).execute();
}
