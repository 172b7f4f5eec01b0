import type { Accounts } from '../../accounts/accounts.ts';
import type { AccountInDrive } from '../../base/domain/drives.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Drive } from '../../drive/drive.ts';
import { type DriveRecords, type Drives, deleteDrive, findPersonalDrive } from '../../drives/drives.ts';

/**
 * Deletes one kind of records of an account that is being deleted, or of its personal drive. May be interrupted
 * at any point, and repeated.
 */
type DeleteRecords = (deleted: AccountInDrive, signal: AbortSignal) => Promise<void>;

interface AccountRecords {
  deleteAllOf(accountId: number, signal: AbortSignal): Promise<void>;
}

/** Deletes records that belong to the account. */
export function ofAccount(records: AccountRecords): DeleteRecords {
  return ({ accountId }, signal) => records.deleteAllOf(accountId, signal);
}

/** Deletes records that belong to the drive. */
export function ofDrive(records: DriveRecords): DeleteRecords {
  return ({ driveId }, signal) => records.deleteAllOf(driveId, signal);
}

/**
 * How often one run deletes the data, until nothing is left. A request that began before the deletion may add
 * something meanwhile. The next run deletes what is left after that.
 */
const MAX_PASSES = 3;

interface AccountRemovalParts {
  readonly accounts: Accounts;
  readonly drives: Drives;
  readonly drive: Drive;
  readonly database: Database;
  readonly records: readonly DeleteRecords[];
}

/**
 * Deletes the data of accounts whose deletion has begun, and then the accounts themselves. A run that was
 * interrupted is continued by the next one.
 */
export class AccountRemoval {
  readonly #parts: AccountRemovalParts;

  /**
   * @param parts.records all records of an account, in the order of deletion: records whose creation adds to
   * others come first
   */
  constructor(parts: AccountRemovalParts) {
    this.#parts = parts;
  }

  /** @throws AggregateError if some accounts could not be deleted; the others have been */
  async run(signal: AbortSignal): Promise<void> {
    const errors: unknown[] = [];
    for (const id of await this.#parts.accounts.deletion.findStarted()) {
      signal.throwIfAborted();
      await this.#delete(id, signal).catch((error) => errors.push(error));
    }
    signal.throwIfAborted();
    if (errors.length > 0)
      throw new AggregateError(errors, `${errors.length} accounts could not be deleted.`);
  }

  async #delete(id: number, signal: AbortSignal): Promise<void> {
    const { accounts, drives, drive } = this.#parts;
    const { deletion } = accounts;
    const driveId = await findPersonalDrive(this.#parts.database.db, id);
    // Another instance has deleted the account meanwhile.
    if (driveId === undefined) return;
    const deleteOwnDrive = async (tx: Tx) => {
      await drive.removal.deleteRoot(tx, driveId);
      await deleteDrive(tx, driveId);
    };
    const deleteAccount = (tx: Tx) => deletion.deleteAccount(tx, id, () => deleteOwnDrive(tx));
    try {
      for (let pass = 0; pass < MAX_PASSES; pass += 1) {
        for (const deleteRecords of this.#parts.records) {
          await deleteRecords({ accountId: id, driveId }, signal);
        }
        // Declared as long, because deleting the row checks every table that refers to accounts.
        if (await drives.withDriveLock({ driveId, accountId: null }, 0, deleteAccount, async () => true))
          return;
      }
    } catch (error) {
      // Another instance may have deleted the account meanwhile.
      if ((await deletion.findStarted()).includes(id)) throw error;
    }
  }
}
