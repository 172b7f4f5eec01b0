import { toTimestamp } from '../../base/dates.ts';
import type { SessionRecord, SessionWithRuntime } from '../contract.ts';
import { statusAt, type UploadSession } from '../upload-session.ts';
import type { Progress } from './upload-sessions.ts';

/** The record of a session for its owner. @throws Error for a legacy upload, which has no record */
export function toSessionRecord(session: UploadSession, now: number): SessionRecord {
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
    strategy: toStrategy(session),
    fileId: session.entryId,
  };
}

/** @param progress undefined for a session that has ended */
export function toRecordWithRuntime(
  session: UploadSession,
  progress: Progress | undefined,
  now: number,
): SessionWithRuntime {
  const record = toSessionRecord(session, now);
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

function toStrategy({ id, mode }: UploadSession): SessionRecord['strategy'] {
  const session = `/api/v2/files/upload-sessions/${id}`;
  const completeUrl = `${session}/complete`;
  switch (mode) {
    case 'DIRECT_SINGLE':
      return { prepareUrl: `${session}/prepare`, completeUrl };
    case 'PROXY':
      return { proxyContentUrl: `${session}/content`, proxyFormField: 'file', completeUrl };
    case 'DIRECT_MULTIPART':
      return {
        partPrepareUrlTemplate: `${session}/parts/{partIndex}/prepare`,
        partRecordUrlTemplate: `${session}/parts/{partIndex}`,
        completeUrl,
      };
  }
}
