import type { Database, Tx } from '../database/database.ts';
import { deleteRowsOf } from '../database/owned-rows.ts';
import { deleteAccount, findAccount, findDeleting } from './queries.ts';

/** The tables of sessions and credentials. */
const LOGIN_TABLES = [
  'session',
  'ended_session',
  'app_password',
  'totp',
  'recovery_code',
  'passkey',
  'account_token',
  'known_login',
] as const;

/** Deletes what is left of accounts whose other data has been deleted. */
export class AccountDeletion {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The accounts that are being deleted, oldest deletion first. */
  findStarted(): Promise<readonly number[]> {
    return findDeleting(this.#database.db);
  }

  /** Deletes the sessions and the credentials of an account. */
  async deleteAllOf(id: number, signal: AbortSignal): Promise<void> {
    for (const table of LOGIN_TABLES) await deleteRowsOf(this.#database, table, id, signal);
  }

  /**
   * Deletes the row of an account. The transaction must have locked its drive.
   * @param deleteDrive deletes the empty drive, in the same transaction
   * @returns false if the drive is not empty: a request that began before the deletion has added an entry
   */
  async deleteAccount(tx: Tx, id: number, deleteDrive: () => Promise<void>): Promise<boolean> {
    const account = await findAccount(tx, id);
    if (account === undefined || account.entryCount > 0) return false;
    await deleteDrive();
    await deleteAccount(tx, id);
    return true;
  }
}
