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

/** A limit for the signals of one session. */
export interface SignalLimits {
  readonly signals: number;
  readonly bytes: number;
}

/**
 * Up to this many signals cannot reach any byte limit, so their bytes need not be summed. Most sessions have
 * no more. A stored signal is at most five times as long as its body, because JSON writes a number like
 * `1e20` in full.
 */
export const MAX_UNSUMMED_SIGNALS = 12;

/**
 * Reserves the next cursor of an ONLINE session. The row stays locked until the transaction ends, so signals
 * are committed in the order of their cursors. A reader who has seen one cursor has missed none before it.
 * Concurrent transactions may exceed the byte limit slightly, because each sums the bytes that existed when
 * it began to wait for the row.
 * @param room if it has a token's hash, a current peer must have that token: a receiver may have left
 * @returns undefined when the session has reached its limit, or has ended
 */
export async function reserveCursor(
  tx: Tx,
  sessionId: string,
  room: SignalLimits & { readonly tokenHash?: string | undefined },
  now: Instant,
): Promise<number | undefined> {
  const { tokenHash } = room;
  const { rows } = await sql<{ last_cursor: number }>`
    update transfer_session set last_cursor = last_cursor + 1, signal_count = signal_count + 1
    where id = ${sessionId} and mode = 'ONLINE' and expires_at > ${now} and signal_count < ${room.signals}
      and (signal_count < ${MAX_UNSUMMED_SIGNALS} or ${room.bytes} > (
        select sum(octet_length(message)) from transfer_signal where session_id = ${sessionId}
      ))
      ${tokenHash === undefined ? sql`` : sql`and ${tokenHash} in (sender_hash, receiver_hash)`}
    returning last_cursor`.execute(tx);
  return rows[0]?.last_cursor;
}

/** Bytes of all stored signals of a session. */
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
 * The signals after a cursor, in order. The page ends when it reaches the limit of signals or bytes.
 * @param from the side that sent them; undefined for both
 */
export async function findSignals(
  db: Db,
  sessionId: string,
  from: PeerRole | undefined,
  after: number,
  limit: SignalLimits,
): Promise<readonly StoredSignal[]> {
  // The lengths are summed before the messages are read, so that only one page is read into memory.
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

/** Deletes the signals that one side sent and the other side has read, up to a cursor. */
export async function deleteReadSignals(
  tx: Tx,
  sessionId: string,
  from: PeerRole,
  upTo: number,
): Promise<void> {
  // Locks the session first, like every change of its signals. A different order could deadlock.
  await sql`update transfer_session set signal_count = signal_count where id = ${sessionId}`.execute(tx);
  const { numAffectedRows = 0n } = await sql`
    delete from transfer_signal
    where session_id = ${sessionId} and sent_by = ${from} and cursor <= ${upTo}`.execute(tx);
  await sql`update transfer_session set signal_count = signal_count - ${Number(numAffectedRows)}
    where id = ${sessionId}`.execute(tx);
}
