import { HOUR, type Instant, MINUTE } from '../base/clock.ts';
import { defineStatusTable } from '../base/domain/status-table.ts';
import type { UploadConflictRule, UploadKind, UploadMode, UploadStatus } from '../base/domain/uploads.ts';
import { Failure } from '../base/failure.ts';
import type { FileName } from '../base/text/names/file-name.ts';
import type { LogicalPath } from '../base/text/names/logical-path.ts';
import type { NewFile } from '../drive/drive.ts';
import type { StoragePolicy, StoredBytes } from '../policies/policies.ts';
import type { ResumePoint } from '../storage/resumable-writes.ts';

/** An announced file, its bytes so far, and how they are sent. */
export interface UploadSession {
  readonly id: string;
  readonly driveId: number;
  /** Who uploads; null for a visitor. */
  readonly accountId: number | null;
  readonly kind: UploadKind;
  readonly mode: UploadMode;
  readonly status: UploadStatus;
  readonly policyId: number;
  readonly objectKey: string;
  /** The id of the multipart upload or resumable write at the store. */
  readonly uploadId: string | null;
  /** Null for legacy uploads, which get their path from `complete`. */
  readonly directoryPath: LogicalPath | null;
  readonly filename: FileName | null;
  readonly contentType: string;
  /** The announced size in bytes. */
  readonly size: number;
  readonly chunkSize: number;
  readonly chunkCount: number;
  /** The unchanged `Upload-Metadata` of a tus client. */
  readonly clientMetadata: string | null;
  /** When the file was last modified on the client, if the client has sent that time. */
  readonly modifiedAt: Instant | null;
  /** The durable bytes of a resumable write. */
  readonly received: ResumePoint;
  /** The bytes received so far in the request that is currently sending content. */
  readonly sentBytes: number;
  /** The complete object, once it is in the store. */
  readonly stored: StoredBytes | null;
  /** The folder link whose visitor uploads, and the name that the visitor has entered; null for a user. */
  readonly folderLinkId: number | null;
  readonly sender: string | null;
  readonly visitorAddress: string | null;
  /** The OFFLINE transfer and its file that the session uploads; null for a file of the drive. */
  readonly transferId: string | null;
  readonly transferFileId: string | null;
  /** What to do if the name is taken. */
  readonly onConflict: UploadConflictRule;
  /** The file that the completion created. */
  readonly entryId: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly expiresAt: Instant;
  /**
   * The latest possible end of a visitor's or a transfer's session. Null for other sessions, whose expiry
   * never changes.
   */
  readonly endsAt: Instant | null;
}

/**
 * The statuses that may follow each status. A status may follow itself when only other columns of the row
 * change.
 */
const STATUS_TABLE = defineStatusTable<UploadStatus>({
  CREATED: ['UPLOADING', 'COMPLETING', 'COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED'],
  UPLOADING: ['UPLOADING', 'COMPLETING', 'COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED'],
  // The store is joining the parts. If the process dies meanwhile, a repeated `complete` continues from here.
  COMPLETING: ['UPLOADING', 'COMPLETING', 'COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED'],
  COMPLETED: [],
  CANCELLED: [],
  EXPIRED: [],
  FAILED: [],
});

export const { statusesBefore } = STATUS_TABLE;

/** The statuses of sessions that accept bytes. */
export const OPEN: readonly UploadStatus[] = ['CREATED', 'UPLOADING'];
/** The statuses of sessions whose bytes are reserved in the quota, and which own their objects. */
export const UNFINISHED = STATUS_TABLE.unfinished;
export const TERMINAL = STATUS_TABLE.terminal;

/**
 * The status as callers see it: a session past its expiry is EXPIRED even before the clean-up has recorded
 * that.
 */
export function statusAt(session: UploadSession, now: Instant): UploadStatus {
  return UNFINISHED.includes(session.status) && session.expiresAt <= now ? 'EXPIRED' : session.status;
}

/** A visitor's session that has received nothing expires this long after its creation. */
const VISITOR_START_MS = 15 * MINUTE;
/** A session with `endsAt` stays open for at least this long after its last byte, but not beyond `endsAt`. */
const IDLE_MS = 3 * HOUR;

/**
 * When a new session expires. Bytes that visitors announce count against the drive's quota, so a visitor who
 * sends nothing must not occupy it for long.
 */
export function planExpiry(
  {
    folderLinkId,
    transfer,
  }: { readonly folderLinkId: number | null; readonly transfer: { readonly expiresAt: Instant } | null },
  now: Instant,
  ttlMs: number,
): Pick<UploadSession, 'expiresAt' | 'endsAt'> {
  const end = now + ttlMs;
  if (transfer !== null) return { expiresAt: Math.min(end, transfer.expiresAt), endsAt: transfer.expiresAt };
  if (folderLinkId === null) return { expiresAt: end, endsAt: null };
  return { expiresAt: Math.min(end, now + VISITOR_START_MS), endsAt: end };
}

/** The new expiry of a session that has just received bytes. */
export function expiryAfterProgress(
  { expiresAt, endsAt }: Pick<UploadSession, 'expiresAt' | 'endsAt'>,
  now: Instant,
): Instant {
  return endsAt === null ? expiresAt : Math.max(expiresAt, Math.min(endsAt, now + IDLE_MS));
}

/** The file that the session will create. @throws Error for a legacy upload, whose path is not known yet */
export function getNewFile(session: UploadSession): NewFile {
  const { id, directoryPath, filename: name, contentType } = session;
  if (directoryPath === null || name === null) throw new Error(`The upload ${id} has no path yet.`);
  return { directoryPath, name, contentType, modifiedAt: session.modifiedAt ?? undefined };
}

/** @throws Failure `rejected` unless the session accepts bytes now */
export function checkOpen(session: UploadSession, now: Instant): void {
  const status = statusAt(session, now);
  if (!OPEN.includes(status)) throw notOpen(status);
}

/** @throws Failure `rejected` */
export function checkMode(session: UploadSession, mode: UploadMode): void {
  if (session.mode === mode) return;
  throw new Failure('rejected', `This upload session is ${session.mode}; that call is for ${mode}.`);
}

/** @param status if it is known */
export function notOpen(status?: UploadStatus): Failure {
  const why = status === undefined ? '' : `: it is ${status}`;
  return new Failure('rejected', `This upload session accepts no more bytes${why}.`);
}

export function noSuchUpload(): Failure {
  return new Failure('not-found', 'There is no such upload.');
}

const MIB = 1024 ** 2;
const MIN_CHUNK_BYTES = 8 * MIB;
const MAX_CHUNKS = 10_000;

interface ChunkPlan {
  /** The size of every chunk except the last, in bytes. */
  readonly chunkSize: number;
  readonly chunkCount: number;
}

/**
 * Splits a file into chunks of 8 MiB. If that yields more than 10,000 chunks, uses the smallest number of
 * whole MiB that does not.
 */
export function planChunks(size: number, mode: UploadMode): ChunkPlan {
  if (mode !== 'DIRECT_MULTIPART') return { chunkSize: size, chunkCount: 1 };
  const needed = Math.ceil(size / MAX_CHUNKS / MIB) * MIB;
  const chunkSize = Math.max(MIN_CHUNK_BYTES, needed);
  return { chunkSize, chunkCount: Math.max(1, Math.ceil(size / chunkSize)) };
}

/** The size of a chunk in bytes. @throws Failure `invalid` if there is no chunk with that index */
export function lengthOfChunk(session: UploadSession, index: number): number {
  const { chunkSize, chunkCount, size } = session;
  if (!Number.isSafeInteger(index) || index < 0 || index >= chunkCount) {
    throw new Failure('invalid', `partIndex must be from 0 to ${chunkCount - 1}.`);
  }
  return index < chunkCount - 1 ? chunkSize : size - chunkSize * (chunkCount - 1);
}

/** The mode of sessions whose bytes are stored by this policy. */
export function modeFor({ capabilities }: StoragePolicy): UploadMode {
  if (!capabilities.directUpload) return 'PROXY';
  return capabilities.multipartUpload ? 'DIRECT_MULTIPART' : 'DIRECT_SINGLE';
}
