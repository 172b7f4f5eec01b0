import { type RawBuilder, sql } from 'kysely';
import { type Instant, SECOND } from '../../base/clock.ts';
import type { AccountInDrive } from '../../base/domain/drives.ts';
import type { Db, Tx } from '../../database/database.ts';
import { MAX_OPEN_SESSIONS_OF_MEMBER, type OpenUploads, type SessionHolder } from '../upload-destination.ts';
import { UNFINISHED } from '../upload-session.ts';
import { hasStatus } from './session-queries.ts';

// Sums and lists of the unfinished sessions.

/** The visitor who uploads through a folder link. */
export interface Visiting {
  readonly driveId: number;
  readonly folderLinkId: number;
  readonly visitorAddress: string | null;
}

/**
 * The number and total size of the unfinished sessions in a drive, and the total size of those that visitors
 * did not begin.
 */
export async function sumAnnounced(
  tx: Tx,
  driveId: number,
  now: Instant,
): Promise<{ bytes: number; bytesOfUsers: number; count: number }> {
  return tx
    .selectFrom('upload_session')
    .select([
      sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('bytes'),
      sumWhere(sql`folder_link_id is null`, sql.ref('size')).as('bytesOfUsers'),
      (select) => select.fn.countAll<number>().as('count'),
    ])
    .where('drive_id', '=', driveId)
    .where(hasStatus(UNFINISHED))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
}

/** A member has no more open sessions than the drive has, so usually nothing needs to be counted. */
export async function countOpen(
  tx: Tx,
  { driveId, accountId }: SessionHolder,
  count: number,
  now: Instant,
): Promise<{ count: number; countOfAccount: number }> {
  if (accountId === null || count < MAX_OPEN_SESSIONS_OF_MEMBER) return { count, countOfAccount: 0 };
  return { count, countOfAccount: await countOpenOfMember(tx, { driveId, accountId }, now) };
}

/** The number of unfinished sessions of an account in a shared drive; 0 in a personal one. */
async function countOpenOfMember(
  tx: Tx,
  { driveId, accountId }: AccountInDrive,
  now: Instant,
): Promise<number> {
  const { count } = await tx
    .selectFrom('upload_session')
    .innerJoin('drive', 'drive.id', 'upload_session.drive_id')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('drive.kind', '=', 'SHARED')
    .where('upload_session.drive_id', '=', driveId)
    .where('upload_session.account_id', '=', accountId)
    .where(hasStatus(UNFINISHED))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return count;
}

/** How long a visitor's announcement keeps a place of the link before any bytes arrive. */
const PLACE_WITHOUT_BYTES_MS = 10 * SECOND;

/**
 * Whether a session takes one of its link's places. An announcement without bytes does so only for a moment.
 * An address may have only few open uploads, so no one can keep others out for long without sending anything.
 */
function takesPlace(now: Instant) {
  return sql<number>`case when received_bytes > 0 or sent_bytes > 0 or stored_key is not null
    or writer_until > ${now} or created_at > ${now - PLACE_WITHOUT_BYTES_MS} then 1 else 0 end`;
}

/**
 * Counts the unfinished sessions in a drive and the running form uploads of visitors: all of them, those of a
 * folder link, and those of an address. Form uploads are found by their reservations.
 * @param exceptReservation the id of a reservation that is not counted
 */
export async function sumOpenForVisitor(
  tx: Tx,
  { driveId, folderLinkId, visitorAddress }: Visiting,
  now: Instant,
  exceptReservation = '',
): Promise<Omit<OpenUploads, 'countOfAccount'>> {
  const sessions = tx
    .selectFrom('upload_session')
    .select(['folder_link_id', 'visitor_address', 'size as bytes'])
    .select(takesPlace(now).as('places'))
    .where('drive_id', '=', driveId)
    .where(hasStatus(UNFINISHED))
    .where('expires_at', '>', now);
  const forms = tx
    .selectFrom('upload_reservation')
    .select(['folder_link_id', 'visitor_address', 'bytes', sql<number>`1`.as('places')])
    .where('drive_id', '=', driveId)
    .where('folder_link_id', 'is not', null)
    .where('expires_at', '>', now)
    .where('id', '<>', exceptReservation);
  const isOfLink = sql`folder_link_id = ${folderLinkId}`;
  const isOfAddress = sql`visitor_address = ${visitorAddress}`;
  return tx
    .selectFrom(sessions.unionAll(forms).as('open'))
    .select([
      (select) => select.fn.countAll<number>().as('count'),
      sumWhere(isOfLink, sql.lit(1)).as('countOfLink'),
      sumWhere(isOfLink, sql.ref('places')).as('placesOfLink'),
      sumWhere(sql`${isOfLink} and places = 1`, sql.ref('bytes')).as('bytesOfLink'),
      sumWhere(isOfAddress, sql.lit(1)).as('countOfAddress'),
    ])
    .executeTakeFirstOrThrow();
}

/** The ids of folder links with unfinished sessions that are greater than `after`, in order. */
export async function findLinksWithOpen(db: Db, after: number, limit: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('upload_session')
    .select('folder_link_id as id')
    .distinct()
    .where('folder_link_id', '>', after)
    .where(hasStatus(UNFINISHED))
    .orderBy('folder_link_id')
    .limit(limit)
    .execute();
  return rows.flatMap(({ id }) => (id === null ? [] : [id]));
}

/** The ids of transfers with unfinished sessions that are greater than `after`, in order. */
export async function findTransfersWithOpen(
  db: Db,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('upload_session')
    .select('transfer_id as id')
    .distinct()
    .where('transfer_id', '>', after)
    .where(hasStatus(UNFINISHED))
    .orderBy('transfer_id')
    .limit(limit)
    .execute();
  return rows.flatMap(({ id }) => (id === null ? [] : [id]));
}

function sumWhere(condition: RawBuilder<unknown>, value: RawBuilder<unknown>) {
  return sql<number>`cast(coalesce(sum(case when ${condition} then ${value} else 0 end), 0) as bigint)`;
}
