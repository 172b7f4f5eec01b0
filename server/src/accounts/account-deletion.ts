import type { Database, Tx } from '../database/database.ts';
import { deleteRowsOf } from '../database/owned-rows.ts';
import { deleteAccount, findAccount, findDeleting } from './queries.ts';

/** The tables of sessions, credentials and reserved bytes. */
const LOGIN_TABLES = [
  'session',
  'ended_session',
  'app_password',
  'totp',
  'recovery_code',
  'passkey',
  'upload_reservation',
] as const;

/** Runs a transaction that locks the drive of an account, and may be long. */
type WithDriveLock = (ownerId: number, work: (tx: Tx) => Promise<boolean>) => Promise<boolean>;

interface AccountDeletionParts {
  readonly database: Database;
  readonly withDriveLock: WithDriveLock;
}

/** Deletes what is left of accounts whose other data has been deleted. */
export class AccountDeletion {
  readonly #parts: AccountDeletionParts;

  constructor(parts: AccountDeletionParts) {
    this.#parts = parts;
  }

  /** The accounts that are being deleted, in the order in which their deletion began. */
  findStarted(): Promise<readonly number[]> {
    return findDeleting(this.#parts.database.db);
  }

  /**
   * Deletes the logins and the row of an account.
   * @param deleteRoot deletes the root of the empty drive, in the same transaction
   * @returns false if the drive is not empty: a request that had begun before the deletion has added
   * something
   * @throws Failure `not-found`
   */
  async finish(
    id: number,
    deleteRoot: (tx: Tx, ownerId: number) => Promise<void>,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (const table of LOGIN_TABLES) {
      await deleteRowsOf(this.#parts.database, table, id, signal);
    }
    return await this.#parts.withDriveLock(id, async (tx) => {
      const account = await findAccount(tx, id);
      if (account === undefined || account.entryCount > 0) return false;
      await deleteRoot(tx, id);
      await deleteAccount(tx, id);
      return true;
    });
  }
}
