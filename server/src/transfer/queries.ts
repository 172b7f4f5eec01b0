import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { TransferMode, TransferStatus } from '../base/domain/transfers.ts';
import { toFileName } from '../base/text/names/file-name.ts';
import type { Db, Tx } from '../database/database.ts';
import type { Flag } from '../database/flag.ts';
import { MAX_SESSIONS } from './contract.ts';
import { statusesBefore, type TransferFile, type TransferSession } from './transfer-session.ts';

export interface NewSession {
  readonly id: string;
  readonly mode: TransferMode;
  readonly status: TransferStatus;
  readonly pickupCode: string;
  readonly accountId: number | null;
  readonly senderHash: string;
  readonly requiresToken: boolean;
  readonly salt: string | null;
  readonly offlineBytes: number;
  readonly fileCount: number;
  /** The bytes of the names and other texts of its files. */
  readonly textBytes: number;
  readonly expiresAt: Instant;
}

/** Returns false if another session already has the code. */
export async function insertSession(tx: Tx, session: NewSession, now: Instant): Promise<boolean> {
  const row = await tx
    .insertInto('transfer_session')
    .values({
      id: session.id,
      mode: session.mode,
      status: session.status,
      pickup_code: session.pickupCode,
      account_id: session.accountId,
      sender_hash: session.senderHash,
      receiver_hash: null,
      requires_token: session.requiresToken ? 1 : 0,
      salt: session.salt,
      offline_bytes: session.offlineBytes,
      file_count: session.fileCount,
      text_bytes: session.textBytes,
      last_cursor: 0,
      signal_count: 0,
      offered_to: null,
      offered_by: null,
      created_at: now,
      expires_at: session.expiresAt,
    })
    .onConflict((conflict) => conflict.column('pickup_code').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Rows per insert. Only a few sizes, because each takes a separate entry in the statement cache. */
const INSERT_SIZES = [100, 10, 1] as const;

export async function insertFiles(tx: Tx, sessionId: string, files: readonly TransferFile[]): Promise<void> {
  const rows = files.map((file, position) => ({
    id: file.id,
    session_id: sessionId,
    position,
    name: file.name,
    encrypted_name: file.encryptedName,
    relative_path: file.relativePath,
    size: file.size,
    content_type: file.contentType,
    blob_id: null,
  }));
  for (let start = 0; start < rows.length; ) {
    const count = INSERT_SIZES.find((limit) => limit <= rows.length - start) ?? 1;
    await tx
      .insertInto('transfer_file')
      .values(rows.slice(start, start + count))
      .execute();
    start += count;
  }
}

/** The session, unless it has expired. */
export async function findSession(db: Db, id: string, now: Instant): Promise<TransferSession | undefined> {
  const query = sql<SessionRow>`${SESSIONS} where id = ${id} and expires_at > ${now}`;
  return toFirst((await query.execute(db)).rows);
}

/** The session with the pickup code, unless it has expired. */
export async function findSessionByCode(
  db: Db,
  code: string,
  now: Instant,
): Promise<TransferSession | undefined> {
  const query = sql<SessionRow>`${SESSIONS} where pickup_code = ${code} and expires_at > ${now}`;
  return toFirst((await query.execute(db)).rows);
}

/** Makes an owner's live sessions of both modes expire now. @returns their ids */
export async function expireSessions(tx: Tx, accountId: number, now: Instant): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`update transfer_session set expires_at = ${now}
    where account_id = ${accountId} and expires_at > ${now} returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** A session with a summary of its files, for which the files need not be read. */
export interface SummedSession {
  readonly session: TransferSession;
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly textBytes: number;
}

/** An owner's live OFFLINE sessions, newest first. */
export async function findOfflineSessions(
  db: Db,
  accountId: number,
  now: Instant,
): Promise<readonly SummedSession[]> {
  const { rows } = await sql<SessionRow & { file_count: number; offline_bytes: number; text_bytes: number }>`
    select ${SESSION_COLUMNS}, file_count, offline_bytes, text_bytes from transfer_session
    where account_id = ${accountId} and mode = 'OFFLINE' and expires_at > ${now}
    order by created_at desc, id limit ${MAX_SESSIONS}`.execute(db);
  return rows.map((row) => ({
    session: toSession(row),
    fileCount: row.file_count,
    totalBytes: row.offline_bytes,
    textBytes: row.text_bytes,
  }));
}

/** How many live sessions of one mode an owner has, and how many bytes their files' texts take. */
export async function countSessions(
  tx: Tx,
  {
    accountId,
    mode,
    now,
  }: { readonly accountId: number; readonly mode: TransferMode; readonly now: Instant },
): Promise<{ readonly count: number; readonly textBytes: number }> {
  const { rows } = await sql<{ count: number; text_bytes: number }>`
    select cast(count(*) as bigint) as count, cast(coalesce(sum(text_bytes), 0) as bigint) as text_bytes
    from transfer_session
    where account_id = ${accountId} and mode = ${mode} and expires_at > ${now}`.execute(tx);
  return { count: rows[0]?.count ?? 0, textBytes: rows[0]?.text_bytes ?? 0 };
}

/** The files of a session, in the order in which they were announced. */
export async function findFiles(db: Db, sessionId: string): Promise<readonly TransferFile[]> {
  const query = sql<FileRow>`${FILES} where session_id = ${sessionId} order by position`;
  return (await query.execute(db)).rows.map(toFile);
}

/** The files of several sessions, by the session's id, in one statement. */
export async function findFilesOf(
  db: Db,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, readonly TransferFile[]>> {
  const files = new Map<string, TransferFile[]>(sessionIds.map((id) => [id, []]));
  if (sessionIds.length === 0) return files;
  const query = sql<FileRow>`${FILES} where session_id in (${sql.join(sessionIds)}) order by session_id, position`;
  for (const row of (await query.execute(db)).rows) files.get(row.session_id)?.push(toFile(row));
  return files;
}

export async function findFile(db: Db, sessionId: string, fileId: string): Promise<TransferFile | undefined> {
  const query = sql<FileRow>`${FILES} where id = ${fileId} and session_id = ${sessionId}`;
  const [row] = (await query.execute(db)).rows;
  return row && toFile(row);
}

/**
 * Records the receiver of an ONLINE session. Only one of several concurrent calls succeeds.
 * @returns the cursor reserved for the `peer-joined` signal; undefined if the session already has a receiver,
 *   or has ended
 */
export async function joinAsReceiver(
  tx: Tx,
  id: string,
  receiverHash: string,
  now: Instant,
): Promise<number | undefined> {
  const { rows } = await sql<{ last_cursor: number }>`
    update transfer_session
    set status = 'JOINED', receiver_hash = ${receiverHash}, last_cursor = last_cursor + 1,
      signal_count = signal_count + 1
    where id = ${id} and status in (${sql.join(statusesBefore('JOINED'))}) and expires_at > ${now}
    returning last_cursor`.execute(tx);
  return rows[0]?.last_cursor;
}

/**
 * Frees the receiver's place and deletes all signals, because they belong to the receiver who has left.
 * @param tokenHash of the receiver, or of the sender. A token of an earlier receiver releases nothing.
 * @returns the cursor reserved for the `peer-left` signal, which is now the session's only signal; undefined
 *   if this token cannot free a place
 */
export async function releaseReceiver(
  tx: Tx,
  id: string,
  tokenHash: string,
  now: Instant,
): Promise<number | undefined> {
  const { rows } = await sql<{ last_cursor: number }>`
    update transfer_session
    set status = 'WAITING', receiver_hash = null, last_cursor = last_cursor + 1, signal_count = 1
    where id = ${id} and status in (${sql.join(statusesBefore('WAITING'))}) and expires_at > ${now}
      and (receiver_hash = ${tokenHash} or sender_hash = ${tokenHash})
    returning last_cursor`.execute(tx);
  const [row] = rows;
  if (row !== undefined) await sql`delete from transfer_signal where session_id = ${id}`.execute(tx);
  return row?.last_cursor;
}

/** Deletes up to `limit` expired ONLINE sessions. @returns how many were deleted */
export async function deleteExpired(tx: Tx, now: Instant, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from transfer_session where id in (
      select id from transfer_session
      where mode = 'ONLINE' and expires_at <= ${now} order by expires_at limit ${limit}
    )`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

const SESSION_COLUMNS = sql.raw(`
  id, mode, status, pickup_code, account_id, sender_hash, receiver_hash, requires_token, salt, signal_count,
  offered_to, fetched_at, created_at, expires_at`);
const SESSIONS = sql`select ${SESSION_COLUMNS} from transfer_session`;

interface SessionRow {
  id: string;
  mode: TransferMode;
  status: TransferStatus;
  pickup_code: string;
  account_id: number | null;
  sender_hash: string;
  receiver_hash: string | null;
  requires_token: Flag;
  salt: string | null;
  signal_count: number;
  offered_to: string | null;
  fetched_at: Instant | null;
  created_at: Instant;
  expires_at: Instant;
}

const FILES = sql.raw(`
  select session_id, id, name, encrypted_name, relative_path, size, content_type, blob_id from transfer_file`);

interface FileRow {
  session_id: string;
  id: string;
  name: string;
  encrypted_name: string | null;
  relative_path: string | null;
  size: number;
  content_type: string | null;
  blob_id: number | null;
}

function toFile(row: FileRow): TransferFile {
  return {
    id: row.id,
    name: toFileName(row.name),
    encryptedName: row.encrypted_name,
    relativePath: row.relative_path,
    size: row.size,
    contentType: row.content_type,
    isUploaded: row.blob_id !== null,
  };
}

function toFirst([row]: readonly SessionRow[]): TransferSession | undefined {
  return row && toSession(row);
}

function toSession(row: SessionRow): TransferSession {
  return {
    id: row.id,
    mode: row.mode,
    status: row.status,
    pickupCode: row.pickup_code,
    accountId: row.account_id,
    senderHash: row.sender_hash,
    receiverHash: row.receiver_hash,
    requiresToken: row.requires_token === 1,
    salt: row.salt,
    signalCount: row.signal_count,
    isOffered: row.offered_to !== null,
    isFetched: row.fetched_at !== null,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
