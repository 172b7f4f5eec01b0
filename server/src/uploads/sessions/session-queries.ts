import { type Selectable, sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { UploadConflictRule, UploadStatus } from '../../base/domain/uploads.ts';
import { toFileName } from '../../base/text/names/file-name.ts';
import { toLogicalPath } from '../../base/text/names/logical-path.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { UploadSessionTable } from '../../database/tables/uploads.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import type { ResumePoint } from '../../storage/resumable-writes.ts';
import { statusesBefore, TERMINAL, UNFINISHED, type UploadSession } from '../upload-session.ts';

type NewUploadSession = Omit<
  UploadSession,
  'status' | 'received' | 'sentBytes' | 'stored' | 'entryId' | 'updatedAt'
>;

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

/** The visitor's address is needed only for limits, which do not count ended sessions. */
const ENDED = { visitor_address: null } as const;
/**
 * The client's metadata is also no longer needed: clients read it only to resume, or after the file was
 * created.
 */
export const ENDED_WITHOUT_FILE = { ...ENDED, client_metadata: null } as const;

export async function insertSession(tx: Tx, session: NewUploadSession): Promise<UploadSession> {
  const row = await tx
    .insertInto('upload_session')
    .values({
      id: session.id,
      drive_id: session.driveId,
      account_id: session.accountId,
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

/** Finds a session in the drive, including those of visitors. */
export async function findSession(db: Db, driveId: number, id: string): Promise<UploadSession | undefined> {
  const row = await db
    .selectFrom('upload_session')
    .selectAll()
    .where('id', '=', id)
    .where('drive_id', '=', driveId)
    .executeTakeFirst();
  return row && toSession(row);
}

/**
 * Sets what an unfinished session does if its name is taken. Returns undefined if the session has ended.
 */
export async function setConflictRule(
  tx: Tx,
  { driveId, id }: Pick<UploadSession, 'driveId' | 'id'>,
  rule: UploadConflictRule,
): Promise<UploadSession | undefined> {
  const row = await tx
    .updateTable('upload_session')
    .set({ on_conflict: rule })
    .where('id', '=', id)
    .where('drive_id', '=', driveId)
    .where('status', 'in', [...UNFINISHED])
    .returningAll()
    .executeTakeFirst();
  return row && toSession(row);
}

/** The drive's legacy upload with this storage name. */
export async function findLegacySession(
  db: Db,
  driveId: number,
  objectKey: string,
): Promise<UploadSession | undefined> {
  const row = await db
    .selectFrom('upload_session')
    .selectAll()
    .where('object_key', '=', objectKey)
    .where('drive_id', '=', driveId)
    .where('kind', '=', 'LEGACY')
    .executeTakeFirst();
  return row && toSession(row);
}

/**
 * Changes the status of a session, if its current status allows that and it has not expired.
 * @param options.from the allowed current statuses; by default all that the status table allows
 * @param options.writerId the caller's writer lock, if the caller must still hold it
 * @returns undefined if the session was not changed
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
  // A session past its expiry counts as expired, even before the clean-up has recorded that.
  if (to !== 'EXPIRED') query = query.where('expires_at', '>', now);
  if (writerId !== undefined) query = query.where('writer', '=', writerId);
  const row = await query.returningAll().executeTakeFirst();
  return row && toSession(row);
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
    driveId: row.drive_id,
    accountId: row.account_id,
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

/** Uses literals for the statuses, because SQLite cannot use a partial index with parameters. */
export function hasStatus(statuses: readonly UploadStatus[]) {
  return sql<boolean>`status in (${sql.join(statuses.map((status) => sql.lit(status)))})`;
}
