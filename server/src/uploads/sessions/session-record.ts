import type { Instant } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import type { SessionRecord, SessionWithRuntime } from '../contract.ts';
import { statusAt, type UploadSession } from '../upload-session.ts';
import type { Progress } from './upload-sessions.ts';

interface RecordOptions {
  readonly now: Instant;
  /** Completes an address for the client that gets the record, such as with the drive. */
  readonly toAddress: (path: string) => string;
}

/** The record of a session for its owner. @throws Error for a legacy upload, which has no record */
export function toSessionRecord(session: UploadSession, { now, toAddress }: RecordOptions): SessionRecord {
  const { directoryPath: path, filename } = session;
  if (path === null || filename === null) throw new Error(`The upload ${session.id} is no session.`);
  return {
    sessionId: session.id,
    objectKey: session.stored?.objectKey ?? session.objectKey,
    directUpload: session.mode !== 'PROXY',
    multipartUpload: session.mode === 'DIRECT_MULTIPART',
    uploadMode: session.mode,
    path,
    filename,
    contentType: session.contentType,
    size: session.size,
    storagePolicyId: session.policyId,
    status: statusAt(session, now),
    chunkSize: session.chunkSize,
    chunkCount: session.chunkCount,
    expiresAt: toTimestamp(session.expiresAt),
    createdAt: toTimestamp(session.createdAt),
    updatedAt: toTimestamp(session.updatedAt),
    modifiedAt: session.modifiedAt === null ? null : toTimestamp(session.modifiedAt),
    strategy: toStrategy(session, toAddress),
    fileId: session.entryId,
  };
}

/** @param progress undefined for a session that has ended */
export function toRecordWithRuntime(
  session: UploadSession,
  progress: Progress | undefined,
  options: RecordOptions,
): SessionWithRuntime {
  const record = toSessionRecord(session, options);
  if (progress === undefined) return { ...record, runtime: null };
  const isWhole = progress.bytes >= session.size && progress.parts >= session.chunkCount;
  return {
    ...record,
    runtime: {
      phase: record.status.toLowerCase(),
      uploadedBytes: progress.bytes,
      uploadedPartCount: progress.parts,
      progressPercent: toPercent(progress.bytes, session.size, isWhole),
      lastUpdatedAt: record.updatedAt,
      expiresAt: record.expiresAt,
    },
  };
}

/** Returns 100 only when all bytes are stored. */
function toPercent(bytes: number, size: number, isWhole: boolean): number {
  if (isWhole) return 100;
  return size === 0 ? 0 : Math.min(99, Math.floor((bytes / size) * 100));
}

function toStrategy(
  { id, mode }: UploadSession,
  toAddress: (path: string) => string,
): SessionRecord['strategy'] {
  const to = (step: string) => toAddress(`/api/v2/files/upload-sessions/${id}/${step}`);
  const completeUrl = to('complete');
  switch (mode) {
    case 'DIRECT_SINGLE':
      return { prepareUrl: to('prepare'), completeUrl };
    case 'PROXY':
      return { proxyContentUrl: to('content'), proxyFormField: 'file', completeUrl };
    case 'DIRECT_MULTIPART':
      return {
        partPrepareUrlTemplate: to('parts/{partIndex}/prepare'),
        partRecordUrlTemplate: to('parts/{partIndex}'),
        completeUrl,
      };
  }
}
