import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Db, Tx } from '../../database/database.ts';

/** A user of the drive, or a visitor of a folder link. Reservations of visitors only limit visitors. */
export type Uploader = 'USER' | 'VISITOR';

/** An expression for the bytes reserved in `drive`, for use in a larger query. */
const reservedBytes = (uploader: Uploader, now: Instant, exceptId = '') => sql`(
  select coalesce(sum(bytes), 0) from upload_reservation
  where drive_id = drive.id and expires_at > ${now} and id <> ${exceptId}
    ${uploader === 'USER' ? sql`and folder_link_id is null` : sql``})`;

interface ReservationRequest {
  readonly id: string;
  readonly driveId: number;
  readonly transferId: string | null;
  /** The folder link whose visitor uploads, and the address of that visitor; null for a user. */
  readonly folderLinkId: number | null;
  readonly visitorAddress: string | null;
  readonly atLeastBytes: number;
  readonly atMostBytes: number;
  /** The bytes that upload sessions have announced and that count for this upload. */
  readonly announcedBytes: number;
  readonly now: Instant;
  readonly expiresAt: Instant;
}

/**
 * Makes or enlarges a reservation, if the drive has room for it. The transaction must have locked the drive.
 * @returns the reserved bytes; undefined if fewer than `atLeastBytes` are free
 */
export async function putReservation(tx: Tx, request: ReservationRequest): Promise<number | undefined> {
  const { id, driveId, transferId, folderLinkId, visitorAddress, now, expiresAt } = request;
  const { atLeastBytes, atMostBytes, announcedBytes } = request;
  const reserved = reservedBytes(folderLinkId === null ? 'USER' : 'VISITOR', now, id);
  const { rows } = await sql<{ bytes: number }>`
    insert into upload_reservation
      (id, drive_id, transfer_id, folder_link_id, visitor_address, bytes, expires_at)
    select cast(${id} as text), id, cast(${transferId} as text),
      cast(${folderLinkId} as bigint), cast(${visitorAddress} as text),
      cast(case when free < ${atMostBytes} then free else ${atMostBytes} end as bigint),
      cast(${expiresAt} as bigint)
    from (
      select id, quota_bytes - used_bytes - ${announcedBytes} - ${reserved} as free
      from drive where id = ${driveId}
    ) as drive
    where free >= ${atLeastBytes}
    on conflict (id) do update set bytes = excluded.bytes, expires_at = excluded.expires_at
    returning bytes`.execute(tx);
  return rows[0]?.bytes;
}

/**
 * The unused part of the quota, minus the reservations that count for this uploader. Negative for a drive
 * over its quota, undefined for a missing drive.
 */
export async function findUnreservedBytes(
  db: Db,
  driveId: number,
  uploader: Uploader,
  now: Instant,
): Promise<number | undefined> {
  const { rows } = await sql<{ bytes: number }>`
    select cast(quota_bytes - used_bytes - ${reservedBytes(uploader, now)} as bigint) as bytes
    from drive where id = ${driveId}`.execute(db);
  return rows[0]?.bytes;
}

export async function extendReservations(tx: Tx, ids: readonly string[], expiresAt: Instant): Promise<void> {
  await tx.updateTable('upload_reservation').set({ expires_at: expiresAt }).where('id', 'in', ids).execute();
}

export async function deleteReservation(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('upload_reservation').where('id', '=', id).execute();
}
