import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { Db, Tx } from '../database/database.ts';

/** Adds requests to the counts of their 15-minute buckets. Other instances add to the same counts. */
export async function addRequests(tx: Tx, counts: ReadonlyMap<Instant, number>): Promise<void> {
  if (counts.size === 0) return;
  // All instances use the same order of rows: otherwise two of them could deadlock.
  const rows = [...counts].toSorted(([a], [b]) => a - b);
  await sql`insert into request_count (quarter, requests)
    values ${sql.join(rows.map(([quarter, requests]) => sql`(${quarter}, ${requests})`))}
    on conflict (quarter) do update set requests = request_count.requests + excluded.requests`.execute(tx);
}

/** Records the days on which accounts were active. Known pairs and deleted accounts are ignored. */
export async function addActiveAccounts(
  tx: Tx,
  rows: readonly { day: string; accountId: number }[],
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ day, accountId }) => sql`(cast(${day} as text), cast(${accountId} as bigint))`);
  await sql`with noted (day, account_id) as (values ${sql.join(values)})
    insert into active_day (day, account_id)
    select day, account_id from noted where exists (select 1 from account where account.id = noted.account_id)
    on conflict (day, account_id) do nothing`.execute(tx);
}

/**
 * Records the last activity of accounts. An older time and deleted accounts are ignored.
 * @param rows in the order of the account ids, so that two instances cannot deadlock
 */
export async function putLastActivity(
  tx: Tx,
  rows: readonly { accountId: number; activeAt: Instant }[],
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(
    ({ accountId, activeAt }) => sql`(cast(${accountId} as bigint), cast(${activeAt} as bigint))`,
  );
  await sql`with noted (account_id, active_at) as (values ${sql.join(values)})
    insert into last_activity (account_id, active_at)
    select account_id, active_at from noted
    where exists (select 1 from account where account.id = noted.account_id)
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

/** The number of active accounts of each day since `fromDay`. Days without any are left out. */
export async function countActiveAccounts(
  db: Db,
  fromDay: string,
): Promise<readonly { day: string; count: number }[]> {
  const { rows } = await sql<{ day: string; count: number }>`
    select day, cast(count(*) as bigint) as count from active_day where day >= ${fromDay} group by day`.execute(
    db,
  );
  return rows;
}

/** The first `limit` names of the active accounts of a day. */
export async function findActiveUsernames(db: Db, day: string, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('active_day')
    .innerJoin('account', 'account.id', 'active_day.account_id')
    .select('account.username')
    .where('active_day.day', '=', day)
    .orderBy('account.folded_username')
    .limit(limit)
    .execute();
  return rows.map(({ username }) => username);
}

export async function deleteActivityBefore(tx: Tx, instant: Instant, day: string): Promise<void> {
  await tx.deleteFrom('request_count').where('quarter', '<', instant).execute();
  await tx.deleteFrom('active_day').where('day', '<', day).execute();
}
