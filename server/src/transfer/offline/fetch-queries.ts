import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Tx } from '../../database/database.ts';

/** An OFFLINE session that was completely fetched for the first time. */
export interface FetchedTransfer {
  readonly accountId: number;
  readonly fileCount: number;
  /** The name of the first file; null if it is encrypted. */
  readonly fileName: string | null;
}

/** The account that has fetched; undefined without a login. What senders fetch themselves is not noted. */
type Fetcher = number | undefined;

/**
 * Marks a file as fetched.
 * @returns the session, if it has no other file that is yet to be fetched, and only the first time
 */
export async function noteFetchedFile(
  tx: Tx,
  { sessionId, fileId, by }: { sessionId: string; fileId: string; by: Fetcher },
  now: Instant,
): Promise<FetchedTransfer | undefined> {
  // Locks the session first, so that of two simultaneous calls the second sees what the first has changed.
  const { numAffectedRows: locked } = await sql`update transfer_session set status = status
    where id = ${sessionId} and fetched_at is null and ${isNotBy(by)}`.execute(tx);
  if (locked !== 1n) return undefined;
  const { numAffectedRows: marked } = await sql`update transfer_file set is_fetched = 1
    where id = ${fileId} and session_id = ${sessionId} and is_fetched = 0`.execute(tx);
  if (marked !== 1n) return undefined;
  const isLast = sql<SqlBool>`not exists (
    select 1 from transfer_file where session_id = transfer_session.id and is_fetched = 0
  )`;
  return setFetched(tx, sessionId, isLast, now);
}

/** Marks a session as fetched. Returns undefined if it was fetched before, or has ended. */
export async function noteFetchedSession(
  tx: Tx,
  { sessionId, by }: { sessionId: string; by: Fetcher },
  now: Instant,
): Promise<FetchedTransfer | undefined> {
  return setFetched(tx, sessionId, isNotBy(by), now);
}

function isNotBy(fetcher: Fetcher): RawBuilder<SqlBool> {
  return fetcher === undefined ? sql`1 = 1` : sql`account_id <> ${fetcher}`;
}

async function setFetched(
  tx: Tx,
  sessionId: string,
  where: RawBuilder<SqlBool>,
  now: Instant,
): Promise<FetchedTransfer | undefined> {
  const { rows } = await sql<FetchedTransfer>`
    update transfer_session set fetched_at = ${now}
    where id = ${sessionId} and mode = 'OFFLINE' and fetched_at is null and ${where}
    returning account_id as "accountId", file_count as "fileCount", case when salt is null then (
      select name from transfer_file where session_id = transfer_session.id and position = 0
    ) end as "fileName"`.execute(tx);
  return rows[0];
}
