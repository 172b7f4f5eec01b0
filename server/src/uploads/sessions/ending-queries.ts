import type { Instant } from '../../base/clock.ts';
import type { AccountInDrives } from '../../base/domain/drives.ts';
import type { Tx } from '../../database/database.ts';
import { statusesBefore, TERMINAL, UNFINISHED, type UploadSession } from '../upload-session.ts';
import { ENDED_WITHOUT_FILE, hasStatus, toSession } from './session-queries.ts';

// Ends sessions, and deletes those that have ended, in batches.

/** Marks up to `limit` sessions past their expiry as EXPIRED. @returns these sessions */
export async function expireSessions(tx: Tx, now: Instant, limit: number): Promise<readonly UploadSession[]> {
  const due = tx
    .selectFrom('upload_session')
    .select('id')
    .where(hasStatus(UNFINISHED))
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit);
  const rows = await tx
    .updateTable('upload_session')
    .set({ status: 'EXPIRED', updated_at: now, ...ENDED_WITHOUT_FILE })
    .where('id', 'in', due)
    .where('status', 'in', statusesBefore('EXPIRED'))
    .returningAll()
    .execute();
  return rows.map(toSession);
}

/** A group of sessions that are cancelled together. */
type SessionGroup =
  | { readonly driveId: number }
  | AccountInDrives
  | { readonly folderLinkId: number }
  | { readonly transferId: string };

/** Marks up to `limit` unfinished sessions of a group as CANCELLED. @returns these sessions */
export async function cancelSessionsOf(
  tx: Tx,
  group: SessionGroup,
  now: Instant,
  limit: number,
): Promise<readonly UploadSession[]> {
  const unfinished = tx
    .selectFrom('upload_session')
    .select('id')
    .where((where) => {
      if ('driveId' in group) return where('drive_id', '=', group.driveId);
      if ('accountId' in group) {
        const isInDrives = where('drive_id', 'in', group.driveIds);
        return where.and([isInDrives, where('account_id', '=', group.accountId)]);
      }
      if ('folderLinkId' in group) return where('folder_link_id', '=', group.folderLinkId);
      return where('transfer_id', '=', group.transferId);
    })
    .where(hasStatus(UNFINISHED))
    .limit(limit);
  const rows = await tx
    .updateTable('upload_session')
    .set({ status: 'CANCELLED', writer: null, updated_at: now, ...ENDED_WITHOUT_FILE })
    .where('id', 'in', unfinished)
    .where('status', 'in', statusesBefore('CANCELLED'))
    .returningAll()
    .execute();
  return rows.map(toSession);
}

/** Deletes up to `limit` sessions that ended before an instant. @returns how many were deleted */
export function deleteEndedSessions(tx: Tx, before: Instant, limit: number): Promise<number> {
  return deleteSessions(tx, endedBefore(tx, before).limit(limit));
}

/**
 * Deletes up to `limit` ended sessions of visitors that created no file. They are deleted earlier than
 * others, because a visitor may start and end any number of sessions.
 */
export function deleteFailedVisits(tx: Tx, before: Instant, limit: number): Promise<number> {
  const failed = endedBefore(tx, before).where('status', '!=', 'COMPLETED');
  return deleteSessions(tx, failed.where('folder_link_id', 'is not', null).limit(limit));
}

function endedBefore(tx: Tx, before: Instant) {
  return tx
    .selectFrom('upload_session')
    .select('id')
    .where(hasStatus(TERMINAL))
    .where('updated_at', '<', before);
}

async function deleteSessions(tx: Tx, due: ReturnType<typeof endedBefore>): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('upload_session').where('id', 'in', due).executeTakeFirst();
  return Number(numDeletedRows);
}
