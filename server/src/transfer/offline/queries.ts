import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import { type FileName, toFileName } from '../../base/text/names/file-name.ts';
import type { ReferenceCounts } from '../../blobs/blobs.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { ObjectLocation } from '../../policies/policies.ts';
import { statusesBefore, type TransferFile } from '../transfer-session.ts';

/** A file of an OFFLINE session whose bytes are stored. */
export interface StoredTransferFile {
  readonly file: TransferFile;
  readonly blobId: number;
  readonly location: ObjectLocation;
  readonly etag: string;
  /** Whether it was sent to a receiver at least once. */
  readonly isFetched: boolean;
}

/** Bytes that all live OFFLINE sessions have reserved. */
export async function sumOfflineBytes(db: Db, now: Instant): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select cast(coalesce(sum(offline_bytes), 0) as bigint) as bytes from transfer_session
    where mode = 'OFFLINE' and expires_at > ${now}`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** Bytes that the live OFFLINE sessions of an account have reserved. */
export async function sumOfflineBytesOfOwner(db: Db, accountId: number, now: Instant): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select cast(coalesce(sum(offline_bytes), 0) as bigint) as bytes from transfer_session
    where account_id = ${accountId} and mode = 'OFFLINE' and expires_at > ${now}`.execute(db);
  return rows[0]?.bytes ?? 0;
}

export async function findStoredFile(
  db: Db,
  sessionId: string,
  fileId: string,
): Promise<StoredTransferFile | undefined> {
  const row = await db
    .selectFrom('transfer_file')
    .innerJoin('blob', 'blob.id', 'transfer_file.blob_id')
    .select(['name', 'encrypted_name', 'relative_path', 'transfer_file.size', 'transfer_file.content_type'])
    .select(['blob.id as blob_id', 'policy_id', 'object_key', 'sha256', 'is_fetched'])
    .where('transfer_file.id', '=', fileId)
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    file: {
      id: fileId,
      name: toFileName(row.name),
      encryptedName: row.encrypted_name,
      relativePath: row.relative_path,
      size: row.size,
      contentType: row.content_type,
      isUploaded: true,
    },
    blobId: row.blob_id,
    location: { policyId: row.policy_id, objectKey: row.object_key },
    etag: row.sha256 ?? row.object_key,
    isFetched: row.is_fetched === 1,
  };
}

/** A file of an OFFLINE session, for an archive. */
interface StoredContent {
  readonly name: FileName;
  readonly relativePath: string | null;
  readonly size: number;
  readonly blobId: number;
  readonly crc32: number | null;
}

/** The stored files of a session, in the order in which they were announced. */
export async function findStoredContents(db: Db, sessionId: string): Promise<readonly StoredContent[]> {
  const rows = await db
    .selectFrom('transfer_file')
    .innerJoin('blob', 'blob.id', 'transfer_file.blob_id')
    .select(['name', 'relative_path', 'transfer_file.size', 'blob.id as blob_id', 'blob.crc32'])
    .where('session_id', '=', sessionId)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({
    name: toFileName(row.name),
    relativePath: row.relative_path,
    size: row.size,
    blobId: row.blob_id,
    crc32: row.crc32,
  }));
}

/**
 * Locks a session that is still uploading until the transaction ends. Returns false if it is READY or has
 * ended.
 */
export async function lockUploadingSession(tx: Tx, id: string, now: Instant): Promise<boolean> {
  const { numAffectedRows } = await sql`update transfer_session set status = status
    where id = ${id} and status in (${sql.join(statusesBefore('READY'))}) and expires_at > ${now}`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/**
 * Attaches a blob to a file of a locked session. The session becomes READY once every file has a blob.
 * @returns whether it is READY now
 */
export async function setFileBlob(
  tx: Tx,
  sessionId: string,
  fileId: string,
  blobId: number,
): Promise<boolean> {
  await sql`update transfer_file set blob_id = ${blobId}
    where id = ${fileId} and session_id = ${sessionId}`.execute(tx);
  // Searches files after this one first. Clients upload in order, so the next file usually ends the search.
  const own = sql`(select position from transfer_file where id = ${fileId})`;
  const { numAffectedRows } = await sql`update transfer_session set status = 'READY'
    where id = ${sessionId} and not exists (
      select 1 from transfer_file where session_id = ${sessionId} and blob_id is null and position > ${own}
    ) and not exists (
      select 1 from transfer_file where session_id = ${sessionId} and blob_id is null and position < ${own}
    )`.execute(tx);
  return numAffectedRows === 1n;
}

/** Locks up to `limit` expired OFFLINE sessions. @returns their ids */
export async function lockExpiredSessions(tx: Tx, now: Instant, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`update transfer_session set status = status where id in (
      select id from transfer_session
      where mode = 'OFFLINE' and expires_at <= ${now} order by expires_at limit ${limit}
    ) returning id`.execute(tx);
  return rows.map((row) => row.id);
}

/**
 * Locks up to `limit` OFFLINE sessions that were created before an instant and are not READY, in the order of
 * their ids.
 * @param afterId only sessions with a greater id
 * @returns their ids
 */
export async function lockUploadingSessions(
  tx: Tx,
  { before, afterId, limit }: { readonly before: Instant; readonly afterId: string; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`update transfer_session set status = status where id in (
      select id from transfer_session
      where mode = 'OFFLINE' and status = 'UPLOADING' and created_at <= ${before} and id > ${afterId}
      order by id limit ${limit}
    ) returning id`.execute(tx);
  return rows.map((row) => row.id).toSorted();
}

/**
 * Selects the locked sessions that have no uploaded file, and none being uploaded by a request or a resumable
 * upload. This is a separate statement, because only a read after the lock is sure to see the current state.
 */
export async function selectWithoutBytes(
  tx: Tx,
  ids: readonly string[],
  now: Instant,
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`select id from transfer_session
    where id in (${sql.join(ids)})
      and not exists (
        select 1 from transfer_file where session_id = transfer_session.id and blob_id is not null
      )
      and not exists (
        select 1 from upload_reservation
        where upload_reservation.transfer_id = transfer_session.id and upload_reservation.expires_at > ${now}
          and upload_reservation.drive_id =
            (select drive.id from drive where drive.account_id = transfer_session.account_id)
      )
      and not exists (
        select 1 from upload_session
        where transfer_id = transfer_session.id and status = 'UPLOADING'
          and received_bytes + sent_bytes > 0 and expires_at > ${now}
      )`.execute(tx);
  return rows.map((row) => row.id);
}

/** Selects the sessions that are still waiting for file content. */
export async function findUploadingIds(
  db: Db,
  ids: readonly string[],
  now: Instant,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select id from transfer_session
    where id in (${sql.join(ids)}) and status = 'UPLOADING' and expires_at > ${now}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The blobs that the files of a session refer to, with the number of references. */
export function selectReferences(sessionId: string): ReferenceCounts {
  return sql`(
    select blob_id, count(*) as uses from transfer_file
    where session_id = ${sessionId} and blob_id is not null group by blob_id
  )`;
}

/** Locks a live session of any mode. Returns false if it has ended. */
export async function lockSession(tx: Tx, id: string, now: Instant): Promise<boolean> {
  const { numAffectedRows } = await sql`update transfer_session set status = status
    where id = ${id} and expires_at > ${now}`.execute(tx);
  return numAffectedRows === 1n;
}

export async function deleteLockedSession(tx: Tx, id: string): Promise<void> {
  await sql`delete from transfer_session where id = ${id}`.execute(tx);
}
