import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { PeerRole } from '../../base/domain/transfers.ts';
import type { Db, Tx } from '../../database/database.ts';

export interface StoredSignal {
  readonly cursor: number;
  readonly from: PeerRole;
  /** JSON: `{type, payload}`. */
  readonly message: string;
  readonly createdAt: Instant;
}

/** How much of signals. */
export interface SignalLimits {
  readonly signals: number;
  readonly bytes: number;
}

/**
 * So many are nowhere near any limit of bytes: one takes at most five times its body, where a number like `1e20` is
 * written out. Most sessions have no more, and nobody adds them up.
 */
export const MAX_UNSUMMED_SIGNALS = 12;

/**
 * Gives the next cursor of an ONLINE session. The row stays held until the transaction ends, so signals are committed
 * in the order of their cursors, and whoever has read up to one has missed none before it. Of those who wait for the row
 * each weighs what was there when it came, so a few may go beyond the bytes.
 * @returns undefined when as many are kept as may be, or when there is no such session
 */
export async function reserveCursor(
  tx: Tx,
  sessionId: string,
  room: SignalLimits,
  now: Instant,
): Promise<number | undefined> {
  const { rows } = await sql<{ last_cursor: number }>`
    update transfer_session set last_cursor = last_cursor + 1, signal_count = signal_count + 1
    where id = ${sessionId} and mode = 'ONLINE' and expires_at > ${now} and signal_count < ${room.signals}
      and (signal_count < ${MAX_UNSUMMED_SIGNALS} or ${room.bytes} > (
        select sum(octet_length(message)) from transfer_signal where session_id = ${sessionId}
      ))
    returning last_cursor`.execute(tx);
  return rows[0]?.last_cursor;
}

/** Bytes that are kept of a session's signals. */
export async function sumSignalBytes(db: Db, sessionId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select cast(coalesce(sum(octet_length(message)), 0) as bigint) as bytes from transfer_signal
    where session_id = ${sessionId}`.execute(db);
  return rows[0]?.bytes ?? 0;
}

export async function insertSignal(tx: Tx, sessionId: string, signal: StoredSignal): Promise<void> {
  const { cursor, from, message, createdAt } = signal;
  await sql`insert into transfer_signal (session_id, cursor, sent_by, message, created_at)
    values (${sessionId}, ${cursor}, ${from}, ${message}, ${createdAt})`.execute(tx);
}

/**
 * What came behind the cursor, in order: at most so many, and of so many bytes without the last one.
 * @param from undefined for both
 */
export async function findSignals(
  db: Db,
  sessionId: string,
  from: PeerRole | undefined,
  after: number,
  limit: SignalLimits,
): Promise<readonly StoredSignal[]> {
  // Weighed before they are read: an answer is as large as it may be, not as what is kept.
  const { rows } = await sql<StoredSignal>`
    with weighed as (
      select cursor, octet_length(message) as bytes from transfer_signal
      where session_id = ${sessionId} and cursor > ${after}
        ${from === undefined ? sql`` : sql`and sent_by = ${from}`}
      order by cursor limit ${limit.signals}
    ), summed as (
      select cursor, sum(bytes) over (order by cursor) - bytes as bytes_before from weighed
    )
    select cursor, sent_by as "from", message, created_at as "createdAt" from transfer_signal
    where session_id = ${sessionId} and cursor in (select cursor from summed where bytes_before < ${limit.bytes})
    order by cursor`.execute(db);
  return rows;
}

/** Makes room: what that side sent and the other has read is not kept any longer. */
export async function deleteReadSignals(
  tx: Tx,
  sessionId: string,
  from: PeerRole,
  upTo: number,
): Promise<void> {
  // Held first, as everybody does who changes the session's signals: two who wait for each other would both fail.
  await sql`update transfer_session set signal_count = signal_count where id = ${sessionId}`.execute(tx);
  const { numAffectedRows = 0n } = await sql`
    delete from transfer_signal
    where session_id = ${sessionId} and sent_by = ${from} and cursor <= ${upTo}`.execute(tx);
  await sql`update transfer_session set signal_count = signal_count - ${Number(numAffectedRows)}
    where id = ${sessionId}`.execute(tx);
}
