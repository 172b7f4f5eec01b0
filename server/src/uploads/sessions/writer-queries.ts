import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Tx } from '../../database/database.ts';
import { OPEN, type UploadSession } from '../upload-session.ts';
import { toSession } from './session-queries.ts';

/**
 * Requests the writer lock of an open session. The newest request becomes the next holder.
 * @param isRepeated whether this request has already been recorded
 * @returns the current holder; undefined if the session is not open, or a newer request has replaced this
 *   repeated one
 */
export async function requestWriterLock(
  tx: Tx,
  id: string,
  writerId: string,
  { now, isRepeated }: { readonly now: Instant; readonly isRepeated: boolean },
): Promise<{ readonly holder: string | null; readonly holderUntil: Instant } | undefined> {
  let query = tx
    .updateTable('upload_session')
    .set({ next_writer: writerId })
    .where('id', '=', id)
    .where('status', 'in', OPEN)
    .where('expires_at', '>', now);
  if (isRepeated) query = query.where('next_writer', '=', writerId);
  return await query.returning(['writer as holder', 'writer_until as holderUntil']).executeTakeFirst();
}

/** Gives the lock to the newest request and takes it from the earlier holder. Counts the attempts. */
export async function acquireWriterLock(
  tx: Tx,
  id: string,
  writerId: string,
  times: { readonly now: Instant; readonly until: Instant },
): Promise<{ readonly session: UploadSession; readonly attempt: number }> {
  const row = await tx
    .updateTable('upload_session')
    .set({
      status: 'UPLOADING',
      attempts: sql`attempts + 1`,
      writer: writerId,
      writer_until: times.until,
      next_writer: null,
      sent_bytes: 0,
      updated_at: times.now,
    })
    .where('id', '=', id)
    .where('next_writer', '=', writerId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { session: toSession(row), attempt: row.attempts };
}

/** Renews the lock. Returns false if a newer request wants it, or the session is no longer open. */
export async function renewWriterLock(
  tx: Tx,
  id: string,
  writerId: string,
  change: {
    readonly now: Instant;
    readonly until: Instant;
    readonly sentBytes: number;
    /** The new expiry of the session; undefined to keep it. */
    readonly expiresAt: Instant | undefined;
  },
): Promise<boolean> {
  const { now, until, sentBytes, expiresAt } = change;
  const { numUpdatedRows } = await tx
    .updateTable('upload_session')
    .set({ writer_until: until, sent_bytes: sentBytes, updated_at: now })
    .$if(expiresAt !== undefined, (update) => update.set({ expires_at: expiresAt ?? 0 }))
    .where('id', '=', id)
    .where('writer', '=', writerId)
    .where('next_writer', 'is', null)
    .where('status', 'in', OPEN)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function releaseWriterLock(tx: Tx, id: string, writerId: string): Promise<void> {
  await tx
    .updateTable('upload_session')
    .set({ writer: null, sent_bytes: 0 })
    .where('id', '=', id)
    .where('writer', '=', writerId)
    .execute();
}
