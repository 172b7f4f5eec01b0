import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Tx } from '../../database/database.ts';
import { OPEN, type UploadSession } from '../upload-session.ts';
import { toSession } from './session-queries.ts';

/**
 * Asks to be the one who sends bytes through us; undefined where nobody may any more. Whoever asks last is the next.
 * @param again when it was asked before: undefined too where somebody else has asked since
 */
export async function requestWriterLock(
  tx: Tx,
  id: string,
  writer: string,
  { now, again }: { readonly now: Instant; readonly again: boolean },
): Promise<{ readonly earlier: string | null; readonly earlierUntil: Instant } | undefined> {
  let query = tx
    .updateTable('upload_session')
    .set({ next_writer: writer })
    .where('id', '=', id)
    .where('status', 'in', OPEN)
    .where('expires_at', '>', now);
  if (again) query = query.where('next_writer', '=', writer);
  return await query.returning(['writer as earlier', 'writer_until as earlierUntil']).executeTakeFirst();
}

/** Makes the one who has asked the writer: whoever was it before no longer is. Tells which attempt this is. */
export async function acquireWriterLock(
  tx: Tx,
  id: string,
  writer: string,
  times: { readonly now: Instant; readonly until: Instant },
): Promise<{ readonly session: UploadSession; readonly attempt: number }> {
  const row = await tx
    .updateTable('upload_session')
    .set({
      status: 'UPLOADING',
      attempts: sql`attempts + 1`,
      writer,
      writer_until: times.until,
      next_writer: null,
      sent_bytes: 0,
      updated_at: times.now,
    })
    .where('id', '=', id)
    .where('next_writer', '=', writer)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { session: toSession(row), attempt: row.attempts };
}

/** The writer lives on. False when somebody else wants to write, or the session takes no more. */
export async function renewWriterLock(
  tx: Tx,
  id: string,
  writer: string,
  change: { readonly now: Instant; readonly until: Instant; readonly sentBytes: number },
): Promise<boolean> {
  const { now, until, sentBytes } = change;
  const { numUpdatedRows } = await tx
    .updateTable('upload_session')
    .set({ writer_until: until, sent_bytes: sentBytes, updated_at: now })
    .where('id', '=', id)
    .where('writer', '=', writer)
    .where('next_writer', 'is', null)
    .where('status', 'in', OPEN)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function releaseWriterLock(tx: Tx, id: string, writer: string): Promise<void> {
  await tx
    .updateTable('upload_session')
    .set({ writer: null, sent_bytes: 0 })
    .where('id', '=', id)
    .where('writer', '=', writer)
    .execute();
}
