import type { Instant } from '../base/clock.ts';
import { defineStatusTable } from '../base/domain/status-table.ts';
import type { TransferMode, TransferStatus } from '../base/domain/transfers.ts';
import { Failure } from '../base/failure.ts';
import { type FileName, toFileName } from '../base/text/file-name.ts';
import { toLogicalPath } from '../base/text/logical-path.ts';
import { toMediaType } from '../base/text/media-type.ts';

/** Files on their way from one to another (specification, "Transfer session"). It is there until its time is over. */
export interface TransferSession {
  readonly id: string;
  readonly mode: TransferMode;
  readonly status: TransferStatus;
  readonly pickupCode: string;
  /** Whoever made it while logged in. */
  readonly ownerId: number | null;
  readonly senderHash: string;
  /** Null until somebody has joined. */
  readonly receiverHash: string | null;
  readonly requiresToken: boolean;
  /** Signals that are kept. */
  readonly signalCount: number;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** Which status may follow which: the first two are those of ONLINE sessions, the others those of OFFLINE sessions. */
export const { statusesBefore } = defineStatusTable<TransferStatus>({
  WAITING: ['JOINED'],
  JOINED: [],
  UPLOADING: ['READY'],
  READY: [],
});

/** A file as the sender announces it. */
export interface AnnouncedFile {
  readonly name: FileName;
  readonly relativePath: string | null;
  readonly size: number;
  readonly contentType: string | null;
}

export interface TransferFile extends AnnouncedFile {
  readonly id: string;
  /** Never for ONLINE: those bytes do not come here. */
  readonly isUploaded: boolean;
}

export interface TransferWithFiles {
  readonly session: TransferSession;
  readonly files: readonly TransferFile[];
}

/**
 * A file as somebody announced it. A type that is none is as good as no type.
 * @throws Failure `invalid` for what cannot be a name or a path
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
    // Where the receiver puts it is below a directory of theirs: no path leads out of that.
    relativePath: relativePath ? toLogicalPath(relativePath).slice(1) || null : null,
    size,
    contentType: contentType ? (toMediaType(contentType) ?? null) : null,
  };
}

/** Also for one that is over: nobody can tell whether there was one. */
export function noSuchTransfer(): Failure {
  return new Failure('not-found', 'There is no such transfer, or it has ended.');
}
