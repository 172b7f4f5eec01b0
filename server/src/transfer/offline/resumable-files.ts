import type { Clock } from '../../base/clock.ts';
import type { AccountInDrive } from '../../base/domain/drives.ts';
import { Failure } from '../../base/failure.ts';
import type { Database, Tx } from '../../database/database.ts';
import { checkOpenCount, type UploadDestination, type UploadSessions } from '../../uploads/uploads.ts';
import type { ExpectedFile, OfflineFiles } from './files.ts';
import { findUploadingIds } from './queries.ts';

interface ResumableFilesParts {
  readonly database: Database;
  readonly files: OfflineFiles;
  readonly uploads: UploadSessions;
  readonly clock: Clock;
}

/**
 * Resumable uploads of files of OFFLINE sessions. Each is an upload session that belongs to one file of a
 * transfer. Its bytes become the file's content once the last of them has arrived.
 */
export class ResumableFiles {
  readonly #parts: ResumableFilesParts;

  constructor(parts: ResumableFilesParts) {
    this.#parts = parts;
  }

  /**
   * The upload destination for a file. The caller must have checked that the request may upload this file.
   */
  toDestination(sender: AccountInDrive, expected: ExpectedFile): UploadDestination {
    const { session, file } = expected;
    return {
      ...{ driveId: sender.driveId, accountId: sender.accountId },
      folderLinkId: null,
      transfer: { id: session.id, fileId: file.id, expiresAt: session.expiresAt },
      visitorAddress: null,
      checkSize: async (sizeBytes) => {
        if (sizeBytes === file.size) return;
        throw new Failure('invalid', `${file.size} bytes were announced, and not ${sizeBytes}.`);
      },
      findPublicLimit: async () => file.size,
      readSender: () => null,
      // The announcement has already fixed the name.
      checkCanCreate: async () => undefined,
      checkCanOpen: async (tx: Tx, _sizeBytes, open) => {
        checkOpenCount(open);
        await this.#parts.files.lockUploading(tx, session.id);
      },
      toClientError: (error) => error,
      // The announcement was within the limits, and its bytes are already reserved in the transfer storage.
      checkCanComplete: async () => undefined,
      addFile: async (tx, bytes) => {
        await this.#parts.files.insert(tx, expected, bytes);
        return null;
      },
    };
  }

  /** Ends the unfinished uploads of a transfer that has ended. If this fails, maintenance ends the rest. */
  async endUploads(transferId: string): Promise<void> {
    await this.#parts.uploads
      .cancelAllOfTransfer(transferId, new AbortController().signal)
      .catch(() => undefined);
  }

  /** Ends the unfinished uploads of transfers that have ended or already have all of their files. */
  async endOrphanedUploads(signal: AbortSignal): Promise<void> {
    for await (const ids of this.#parts.uploads.listTransfers(signal)) {
      const uploading = await findUploadingIds(this.#parts.database.db, ids, this.#parts.clock.now());
      for (const id of ids) if (!uploading.has(id)) await this.#parts.uploads.cancelAllOfTransfer(id, signal);
    }
  }
}
