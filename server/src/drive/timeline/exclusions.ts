import type { AccountInDrive, AccountInDrives } from '../../base/domain/drives.ts';
import { Failure } from '../../base/failure.ts';
import type { Database, Tx } from '../../database/database.ts';
import { deleteRowsOf } from '../../database/owned-rows.ts';
import type { Drives } from '../../drives/drives.ts';
import type { Actor, EntryWithPath } from '../entries/entry.ts';
import { getEntryWithPath, resolvePaths } from '../entries/live-entries.ts';
import { deleteExclusion, deleteExclusionsOf, findExclusions, insertExclusion } from './exclusion-queries.ts';

/** Per account and drive. */
export const MAX_EXCLUSIONS = 100;

/**
 * The directories whose pictures an account does not want in its timeline, with everything below them. Nobody
 * else sees that. It belongs to the directory: it stays when the directory is renamed, moved or restored.
 */
export class TimelineExclusions {
  readonly #database: Database;
  readonly #drives: Drives;

  constructor({ database, drives }: { readonly database: Database; readonly drives: Drives }) {
    this.#database = database;
    this.#drives = drives;
  }

  /** By name, at most {@link MAX_EXCLUSIONS}. */
  async list(owner: AccountInDrive): Promise<readonly EntryWithPath[]> {
    const { db } = this.#database;
    return resolvePaths(db, await findExclusions(db, owner, MAX_EXCLUSIONS));
  }

  /**
   * @throws Failure `not-found`; `rejected` for a file; `over-limit` if the account leaves out too many
   */
  set(
    actor: Actor & { readonly accountId: number },
    id: number,
    isExcluded: boolean,
  ): Promise<EntryWithPath> {
    const { accountId, driveId } = actor;
    return this.#drives.withDriveLock(actor, 0, async (tx: Tx) => {
      const found = await getEntryWithPath(tx, driveId, id);
      if (!found.entry.isDirectory) throw new Failure('rejected', 'This is not a directory.');
      if (!isExcluded) await deleteExclusion(tx, accountId, id);
      else if (!(await insertExclusion(tx, { accountId, driveId }, id, MAX_EXCLUSIONS)))
        throw new Failure('over-limit', `You can leave out at most ${MAX_EXCLUSIONS} folders.`);
      return found;
    });
  }

  /** Deletes those of an account in shared drives of which it is no longer a member. */
  deleteOfMember(tx: Tx, former: AccountInDrives): Promise<void> {
    return deleteExclusionsOf(tx, former);
  }

  /** Deletes those of an account that is being deleted. */
  deleteAllOf(accountId: number, signal: AbortSignal): Promise<void> {
    return deleteRowsOf(this.#database, 'timeline_exclusion', accountId, signal);
  }
}
