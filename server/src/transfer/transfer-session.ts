import type { Instant } from '../base/clock.ts';
import { defineStatusTable } from '../base/domain/status-table.ts';
import type { TransferMode, TransferStatus } from '../base/domain/transfers.ts';
import { Failure } from '../base/failure.ts';
import { toMediaType } from '../base/text/media-type.ts';
import { type FileName, toFileName } from '../base/text/names/file-name.ts';
import { toLogicalPath } from '../base/text/names/logical-path.ts';

/**
 * A transfer of files from a sender to one receiver (ONLINE) or several (OFFLINE). It is deleted after it
 * expires.
 */
export interface TransferSession {
  readonly id: string;
  readonly mode: TransferMode;
  readonly status: TransferStatus;
  readonly pickupCode: string;
  /** The account that created it; null if it was created without a login. */
  readonly accountId: number | null;
  readonly senderHash: string;
  /** Null until a receiver has joined. */
  readonly receiverHash: string | null;
  readonly requiresToken: boolean;
  /** The sender's salt, in base64url, if the sender encrypts; null otherwise. */
  readonly salt: string | null;
  /** The number of stored signals. */
  readonly signalCount: number;
  /** Whether the transfer is offered to another device of the sender's account. */
  readonly isOffered: boolean;
  /** Whether an OFFLINE session was completely fetched. */
  readonly isFetched: boolean;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/**
 * The statuses that may follow each status. The first two belong to ONLINE sessions, the others to OFFLINE
 * sessions.
 */
export const { statusesBefore } = defineStatusTable<TransferStatus>({
  WAITING: ['JOINED'],
  // Back to waiting when the receiver leaves.
  JOINED: ['WAITING'],
  UPLOADING: ['READY'],
  READY: [],
});

/** A file as the sender announces it. */
export interface AnnouncedFile {
  /** Only a placeholder in an encrypted session. */
  readonly name: FileName;
  /** Null in a session that is not encrypted. */
  readonly encryptedName: string | null;
  readonly relativePath: string | null;
  readonly size: number;
  readonly contentType: string | null;
}

export interface TransferFile extends AnnouncedFile {
  readonly id: string;
  /** Always false for ONLINE, whose bytes go from browser to browser. */
  readonly isUploaded: boolean;
}

export interface TransferWithFiles {
  readonly session: TransferSession;
  readonly files: readonly TransferFile[];
}

/**
 * Checks a file that a client announced. An invalid content type becomes null.
 * @throws Failure `invalid` for an invalid name or path
 */
export function toAnnouncedFile(sent: {
  readonly name: string;
  readonly relativePath: string | null;
  readonly size: number;
  readonly contentType: string | null;
}): AnnouncedFile {
  const { relativePath, size, contentType } = sent;
  return {
    name: toFileName(sent.name),
    encryptedName: null,
    // Normalized, so that the path cannot lead out of the directory in which the receiver stores it.
    relativePath: relativePath ? toLogicalPath(relativePath).slice(1) || null : null,
    size,
    contentType: contentType ? (toMediaType(contentType) ?? null) : null,
  };
}

/** Also used for an expired session, so that no one can find out whether it existed. */
export function noSuchTransfer(): Failure {
  return new Failure('not-found', 'There is no such transfer, or it has ended.');
}
