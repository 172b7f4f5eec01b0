import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { UploadConflictRule, UploadStatus } from '../../base/domain/uploads.ts';
import { toFileName } from '../../base/text/names/file-name.ts';
import { toLogicalPath } from '../../base/text/names/logical-path.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { UploadSessionTable } from '../../database/tables/uploads/uploads.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import type { ResumePoint } from '../../storage/resumable-writes.ts';
import type { OpenUploads } from '../upload-destination.ts';
import { statusesBefore, TERMINAL, UNFINISHED, type UploadSession } from '../upload-session.ts';

export type NewUploadSession = Omit<
  UploadSession,
  'status' | 'received' | 'sentBytes' | 'stored' | 'entryId' | 'updatedAt'
>;

/** Who uploads through a folder link. */
export interface Visiting {
  readonly ownerId: number;
  readonly folderLinkId: number;
  readonly visitorAddress: string | null;
}

/** Columns that change together with the status. */
export type SessionChange = Partial<
  Pick<
    UploadSessionTable,
    | 'object_key'
    | 'upload_id'
    | 'received_bytes'
    | 'received_parts'
    | 'tail_key'
    | 'stored_key'
    | 'stored_size'
    | 'sha256'
    | 'crc32'
    | 'writer'
    | 'writer_until'
    | 'expires_at'
  >
>;

/** No limit counts a session that has ended, so nobody needs the address of its visitor any more. */
const ENDED = { visitor_address: null } as const;
/** Clients ask for their metadata only to go on, or once the file is there. */
const ENDED_WITHOUT_FILE = { ...ENDED, client_metadata: null } as const;

export async function insertSession(tx: Tx, session: NewUploadSession): Promise<UploadSession> {
  const row = await tx
    .insertInto('upload_session')
    .values({
      id: session.id,
      owner_id: session.ownerId,
      kind: session.kind,
      mode: session.mode,
      status: 'CREATED',
      policy_id: session.policyId,
      object_key: session.objectKey,
      upload_id: session.uploadId,
      directory_path: session.directoryPath,
      filename: session.filename,
      content_type: session.contentType,
      size: session.size,
      chunk_size: session.chunkSize,
      chunk_count: session.chunkCount,
      client_metadata: session.clientMetadata,
      modified_at: session.modifiedAt,
      folder_link_id: session.folderLinkId,
      sender: session.sender,
      visitor_address: session.visitorAddress,
      transfer_id: session.transferId,
      transfer_file_id: session.transferFileId,
      on_conflict: session.onConflict,
      ends_at: session.endsAt,
      received_bytes: 0,
      received_parts: 0,
      sent_bytes: 0,
      attempts: 0,
      writer_until: 0,
      created_at: session.createdAt,
      updated_at: session.createdAt,
      expires_at: session.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toSession(row);
}

/** The owner's own session. */
export async function findSession(db: Db, ownerId: number, id: string): Promise<UploadSession | undefined> {
  const row = await db
    .selectFrom('upload_session')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  return row && toSession(row);
}

/** Changes what an unfinished session does if its name is taken. Undefined if the session has ended. */
export async function setConflictRule(
  tx: Tx,
  { ownerId, id }: Pick<UploadSession, 'ownerId' | 'id'>,
  rule: UploadConflictRule,
): Promise<UploadSession | undefined> {
  const row = await tx
    .updateTable('upload_session')
    .set({ on_conflict: rule })
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('status', 'in', [...UNFINISHED])
    .returningAll()
    .executeTakeFirst();
  return row && toSession(row);
}

/** The owner's legacy upload with this storage name. */
export async function findLegacySession(
  db: Db,
  ownerId: number,
  objectKey: string,
): Promise<UploadSession | undefined> {
  const row = await db
    .selectFrom('upload_session')
    .selectAll()
    .where('object_key', '=', objectKey)
    .where('owner_id', '=', ownerId)
    .where('kind', '=', 'LEGACY')
    .executeTakeFirst();
  return row && toSession(row);
}

/**
 * Changes the status of a session, if its current status allows that and it has not expired.
 * @param options.from the allowed current statuses, if not all that the status table allows
 * @param options.writerId the caller's writer lock, if it must still hold it
 * @returns undefined when the session was not changed
 */
export async function changeStatus(
  tx: Tx,
  id: string,
  to: UploadStatus,
  options: {
    readonly now: Instant;
    readonly change?: SessionChange;
    readonly writerId?: string;
    readonly from?: readonly UploadStatus[];
  },
): Promise<UploadSession | undefined> {
  const { now, change, writerId, from = statusesBefore(to) } = options;
  let query = tx
    .updateTable('upload_session')
    .set({ ...change, status: to, updated_at: now, ...changeOfEnd(to) })
    .where('id', '=', id)
    .where('status', 'in', from);
  // A session past its expiry has expired, even before the clean-up has recorded that.
  if (to !== 'EXPIRED') query = query.where('expires_at', '>', now);
  if (writerId !== undefined) query = query.where('writer', '=', writerId);
  const row = await query.returningAll().executeTakeFirst();
  return row && toSession(row);
}

/** The number and total size of the unfinished sessions in a drive, with the size of the owner's own ones. */
export async function sumAnnounced(
  tx: Tx,
  ownerId: number,
  now: Instant,
): Promise<{ bytes: number; bytesOfOwner: number; count: number }> {
  return tx
    .selectFrom('upload_session')
    .select([
      sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('bytes'),
      sumWhere(sql`folder_link_id is null`, sql.ref('size')).as('bytesOfOwner'),
      (select) => select.fn.countAll<number>().as('count'),
    ])
    .where('owner_id', '=', ownerId)
    .where(hasStatus(UNFINISHED))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
}

/**
 * The unfinished sessions in a drive and the running forms of visitors, which are known by their reservations: all of
 * them, those of a folder link, and those of an address.
 * @param exceptReservation is not counted
 */
export async function sumOpenForVisitor(
  tx: Tx,
  { ownerId, folderLinkId, visitorAddress }: Visiting,
  now: Instant,
  exceptReservation = '',
): Promise<OpenUploads> {
  const sessions = tx
    .selectFrom('upload_session')
    .select(['folder_link_id', 'visitor_address', 'size as bytes'])
    .where('owner_id', '=', ownerId)
    .where(hasStatus(UNFINISHED))
    .where('expires_at', '>', now);
  const forms = tx
    .selectFrom('upload_reservation')
    .select(['folder_link_id', 'visitor_address', 'bytes'])
    .where('owner_id', '=', ownerId)
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
      sumWhere(isOfLink, sql.ref('bytes')).as('bytesOfLink'),
      sumWhere(isOfAddress, sql.lit(1)).as('countOfAddress'),
    ])
    .executeTakeFirstOrThrow();
}

function sumWhere(condition: RawBuilder<unknown>, value: RawBuilder<unknown>) {
  return sql<number>`cast(coalesce(sum(case when ${condition} then ${value} else 0 end), 0) as bigint)`;
}

/** The folder links with unfinished sessions after an id, in their order. */
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

export async function setEntry(tx: Tx, id: string, entryId: number): Promise<UploadSession> {
  const row = await tx
    .updateTable('upload_session')
    .set({ entry_id: entryId })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toSession(row);
}

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

/** The transfers with unfinished sessions after an id, in their order. */
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

/** Whose sessions end together. */
export type SessionGroup =
  | { readonly ownerId: number }
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
      if ('ownerId' in group) return where('owner_id', '=', group.ownerId);
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

/** The same for the sessions of visitors that created no file: no limit counts how many somebody begins and ends. */
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

function changeOfEnd(to: UploadStatus): SessionChange & Partial<typeof ENDED_WITHOUT_FILE> {
  if (!TERMINAL.includes(to)) return {};
  return to === 'COMPLETED' ? ENDED : ENDED_WITHOUT_FILE;
}

export function fromStored({ objectKey, size, sha256, crc32 }: StoredBytes): SessionChange {
  return { stored_key: objectKey, stored_size: size, sha256, crc32 };
}

export function fromPoint(point: ResumePoint): SessionChange {
  return { received_bytes: point.size, received_parts: point.parts, tail_key: point.tailKey };
}

export function toSession(row: Selectable<UploadSessionTable>): UploadSession {
  return {
    id: row.id,
    ownerId: row.owner_id,
    kind: row.kind,
    mode: row.mode,
    status: row.status,
    policyId: row.policy_id,
    objectKey: row.object_key,
    uploadId: row.upload_id,
    directoryPath: row.directory_path === null ? null : toLogicalPath(row.directory_path),
    filename: row.filename === null ? null : toFileName(row.filename),
    contentType: row.content_type,
    size: row.size,
    chunkSize: row.chunk_size,
    chunkCount: row.chunk_count,
    clientMetadata: row.client_metadata,
    modifiedAt: row.modified_at,
    received: { size: row.received_bytes, parts: row.received_parts, tailKey: row.tail_key },
    sentBytes: row.sent_bytes,
    stored: toStored(row),
    folderLinkId: row.folder_link_id,
    sender: row.sender,
    visitorAddress: row.visitor_address,
    transferId: row.transfer_id,
    transferFileId: row.transfer_file_id,
    onConflict: row.on_conflict,
    endsAt: row.ends_at,
    entryId: row.entry_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  };
}

function toStored(row: Selectable<UploadSessionTable>): StoredBytes | null {
  const { stored_key: objectKey, stored_size: size, policy_id: policyId, sha256, crc32 } = row;
  return objectKey === null || size === null ? null : { objectKey, policyId, size, sha256, crc32 };
}

/** Literals, because SQLite cannot use a partial index for statuses given as parameters. */
export function hasStatus(statuses: readonly UploadStatus[]) {
  return sql<boolean>`status in (${sql.join(statuses.map((status) => sql.lit(status)))})`;
}
