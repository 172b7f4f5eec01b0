import type { Clock } from '../../base/clock.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Notifications } from '../../notifications/notifications.ts';
import { type FetchedTransfer, noteFetchedFile, noteFetchedSession } from './fetch-queries.ts';

interface TransferFetchesParts {
  readonly database: Database;
  readonly notifications: Notifications;
  readonly clock: Clock;
  /** Called if a fetch could not be noted. The receiver has the files all the same. */
  readonly onFetchFault: (error: unknown) => void;
}

/**
 * Notes which files of OFFLINE sessions were sent to a receiver, and tells the sender when each file was for
 * the first time.
 */
export class TransferFetches {
  readonly #parts: TransferFetchesParts;

  constructor(parts: TransferFetchesParts) {
    this.#parts = parts;
  }

  /**
   * Notes that a file was sent to its last byte. Never throws, because the response has been sent.
   * @param file.by the account that has fetched it; undefined without a login
   */
  noteFile(file: {
    readonly sessionId: string;
    readonly fileId: string;
    readonly by: number | undefined;
  }): Promise<void> {
    return this.#note((tx) => noteFetchedFile(tx, file, this.#parts.clock.now()));
  }

  /** Like {@link noteFile}, for all files, which were sent in one archive. */
  noteAll(session: { readonly sessionId: string; readonly by: number | undefined }): Promise<void> {
    return this.#note((tx) => noteFetchedSession(tx, session, this.#parts.clock.now()));
  }

  async #note(note: (tx: Tx) => Promise<FetchedTransfer | undefined>): Promise<void> {
    const { database, notifications, onFetchFault } = this.#parts;
    const work = async (tx: Tx) => {
      const fetched = await note(tx);
      if (fetched === undefined) return;
      const { accountId, fileCount: files, fileName } = fetched;
      const data = { files, fileName: fileName ?? '' };
      await notifications.notify(tx, [accountId], { kind: 'TRANSFER_FETCHED', data });
    };
    await database.transact(work).catch(onFetchFault);
  }
}
