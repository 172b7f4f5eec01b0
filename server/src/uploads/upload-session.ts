import type { Instant } from '../base/clock.ts';
import { defineStatusTable } from '../base/domain/status-table.ts';
import type { UploadKind, UploadMode, UploadStatus } from '../base/domain/uploads.ts';
import { Failure } from '../base/failure.ts';
import type { FileName } from '../base/text/file-name.ts';
import type { LogicalPath } from '../base/text/logical-path.ts';
import type { NewFile } from '../drive/drive.ts';
import type { StoragePolicy, StoredBytes } from '../policies/policies.ts';
import type { ResumePoint } from '../storage/resumable-writes.ts';

/** A file on its way into a drive (specification, "Upload session (v2)"). */
export interface UploadSession {
  readonly id: string;
  readonly ownerId: number;
  readonly kind: UploadKind;
  readonly mode: UploadMode;
  readonly status: UploadStatus;
  readonly policyId: number;
  readonly objectKey: string;
  /** Of the multipart upload or the resumable write at the store. */
  readonly uploadId: string | null;
  /** Null for legacy uploads: those are told the place when they are completed. */
  readonly directoryPath: LogicalPath | null;
  readonly filename: FileName | null;
  readonly contentType: string;
  /** Bytes announced. */
  readonly size: number;
  readonly chunkSize: number;
  readonly chunkCount: number;
  /** What a client of the tus protocol said of the file, as it was sent. */
  readonly clientMetadata: string | null;
  /** How far a resumable write has come. */
  readonly received: ResumePoint;
  /** How far a content upload has got that is under way. */
  readonly sentBytes: number;
  /** The whole bytes, once they lie in the store. */
  readonly stored: StoredBytes | null;
  /** The file that came of it. */
  readonly entryId: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly expiresAt: Instant;
}

/** Which status may follow which, itself included: then something else of the row changes. */
const STATUS_TABLE = defineStatusTable<UploadStatus>({
  CREATED: ['UPLOADING', 'COMPLETING', 'COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED'],
  UPLOADING: ['UPLOADING', 'COMPLETING', 'COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED'],
  // While the store joins the parts. If the process dies meanwhile, a repeated `complete` continues from here.
  COMPLETING: ['UPLOADING', 'COMPLETING', 'COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED'],
  COMPLETED: [],
  CANCELLED: [],
  EXPIRED: [],
  FAILED: [],
});

export const { statusesBefore } = STATUS_TABLE;

/** Sessions that accept bytes. */
export const OPEN: readonly UploadStatus[] = ['CREATED', 'UPLOADING'];
/** Sessions whose bytes are reserved in the quota, and which have objects of their own. */
export const UNFINISHED = STATUS_TABLE.unfinished;
export const TERMINAL = STATUS_TABLE.terminal;

/** As it is to be seen: past its time a session is expired, also before the clean-up has come by. */
export function statusAt(session: UploadSession, now: Instant): UploadStatus {
  return UNFINISHED.includes(session.status) && session.expiresAt <= now ? 'EXPIRED' : session.status;
}

/** Where a session's file goes. @throws Error for a legacy upload, which does not know yet */
export function getNewFile({ id, directoryPath, filename: name, contentType }: UploadSession): NewFile {
  if (directoryPath === null || name === null) throw new Error(`The upload ${id} has no place yet.`);
  return { directoryPath, name, contentType };
}

/** @throws Failure `rejected` when the session takes no bytes (any more) */
export function checkOpen(session: UploadSession, now: Instant): void {
  const status = statusAt(session, now);
  if (!OPEN.includes(status)) throw notOpen(status);
}

/** @throws Failure `rejected` */
export function checkMode(session: UploadSession, mode: UploadMode): void {
  if (session.mode === mode) return;
  throw new Failure('rejected', `This upload session is ${session.mode}; that call is for ${mode}.`);
}

/** @param status where it is known by now */
export function notOpen(status?: UploadStatus): Failure {
  const why = status === undefined ? '' : `: it is ${status}`;
  return new Failure('rejected', `This upload session takes no more bytes${why}.`);
}

export function noSuchUpload(): Failure {
  return new Failure('not-found', 'There is no such upload.');
}

const MIB = 1024 ** 2;
const MIN_CHUNK_BYTES = 8 * MIB;
const MAX_CHUNKS = 10_000;

export interface ChunkPlan {
  /** Bytes of each chunk but the last. */
  readonly chunkSize: number;
  readonly chunkCount: number;
}

/** How a file is cut (contract, section 4): 8 MiB, or as many whole MiB as 10,000 chunks need. */
export function planChunks(size: number, mode: UploadMode): ChunkPlan {
  if (mode !== 'DIRECT_MULTIPART') return { chunkSize: size, chunkCount: 1 };
  const needed = Math.ceil(size / MAX_CHUNKS / MIB) * MIB;
  const chunkSize = Math.max(MIN_CHUNK_BYTES, needed);
  return { chunkSize, chunkCount: Math.max(1, Math.ceil(size / chunkSize)) };
}

/** Bytes that the chunk of that index has. @throws Failure `invalid` when there is no such chunk */
export function lengthOfChunk(session: UploadSession, index: number): number {
  const { chunkSize, chunkCount, size } = session;
  if (!Number.isSafeInteger(index) || index < 0 || index >= chunkCount) {
    throw new Failure('invalid', `partIndex must be from 0 to ${chunkCount - 1}.`);
  }
  return index < chunkCount - 1 ? chunkSize : size - chunkSize * (chunkCount - 1);
}

/** The mode that a policy asks for (specification, "Mode selection at creation"). */
export function modeFor({ capabilities }: StoragePolicy): UploadMode {
  if (!capabilities.directUpload) return 'PROXY';
  return capabilities.multipartUpload ? 'DIRECT_MULTIPART' : 'DIRECT_SINGLE';
}
