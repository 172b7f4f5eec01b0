import { toTimestamp } from '../base/dates.ts';
import type { OwnTransferRecord, TransferRecord } from './contract.ts';
import type { OwnTransfer } from './offline/files.ts';
import type { TransferWithFiles } from './transfer-session.ts';

export function toTransferRecord({ session, files }: TransferWithFiles): TransferRecord {
  return {
    sessionId: session.id,
    pickupCode: session.pickupCode,
    mode: session.mode,
    status: session.status,
    expiresAt: toTimestamp(session.expiresAt),
    createdAt: toTimestamp(session.createdAt),
    encrypted: session.salt !== null,
    salt: session.salt,
    files: files.map(({ id, name, encryptedName, relativePath, size, contentType, isUploaded }) => ({
      id,
      name,
      encryptedName,
      relativePath,
      size,
      contentType,
      uploaded: isUploaded,
    })),
  };
}

/** @param knowsCode whether the caller may see the pickup code, and so pass the files on to others */
export function toOwnRecord(own: OwnTransfer, knowsCode: boolean): OwnTransferRecord {
  const { fileCount, totalBytes } = own;
  const record = toTransferRecord(own);
  return { ...record, pickupCode: knowsCode ? record.pickupCode : null, fileCount, totalBytes };
}
