import type { Clock } from '../../base/clock.ts';
import { type AccountInDrive, checkRole, noDrive } from '../../base/domain/drives.ts';
import { Failure } from '../../base/failure.ts';
import type { FileName } from '../../base/text/names/file-name.ts';
import { toSortName } from '../../base/text/names/sort-name.ts';
import type { Database, Tx } from '../../database/database.ts';
import { publishDrivesChanged } from '../../events/events.ts';
import type { DriveUser } from '../members/member-check.ts';
import type { Members } from '../members/members.ts';
import { findMemberIds } from '../members/queries.ts';
import { checkDriveName } from './drive-name.ts';
import {
  type DriveOfMember,
  findDriveName,
  findDriveOf,
  findDrivesOf,
  findRoleInAny,
  isDeleted,
  markDeleted,
  markRestored,
  setDriveName,
} from './queries.ts';

const PERSONAL_DRIVE = 'This is not possible for a personal drive.';

/** Whose call it is, and which drive it is about. */
interface DriveCall {
  /** The account, and its personal drive. */
  readonly caller: AccountInDrive;
  readonly driveId: number;
}

/**
 * Runs work in a transaction that locks a deleted drive, so the drive cannot be restored meanwhile. If it was
 * restored before, does nothing and returns an empty list.
 */
export type DuringDeletion = <T>(work: (tx: Tx) => Promise<readonly T[]>) => Promise<readonly T[]>;
/** Ends one kind of unfinished work in a deleted drive. May be repeated. */
type EndWorkHook = (driveId: number, duringDeletion: DuringDeletion, signal: AbortSignal) => Promise<void>;

interface SharedDrivesParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly members: Members;
  /** Like `Drives.withDriveLock`, without a charge. */
  readonly withDriveLock: <T>(user: DriveUser, work: (tx: Tx) => Promise<T>) => Promise<T>;
}

/** Lists, renames, deletes and restores shared drives. */
export class SharedDrives {
  readonly #parts: SharedDrivesParts;
  readonly #endWorkHooks: EndWorkHook[] = [];
  readonly #deletedHooks: (() => void)[] = [];

  constructor(parts: SharedDrivesParts) {
    this.#parts = parts;
  }

  /** Calls the hook for a deleted drive, to end tasks and uploads there. */
  onEndWork(hook: EndWorkHook): void {
    this.#endWorkHooks.push(hook);
  }

  /** Calls the hook after a drive was deleted. */
  onDeleted(hook: () => void): void {
    this.#deletedHooks.push(hook);
  }

  /**
   * Lists the live drives of an account, or its deleted ones: first the personal drive, then shared drives by
   * name.
   */
  async list(accountId: number, { areDeleted }: { areDeleted: boolean }): Promise<readonly DriveOfMember[]> {
    const found = await findDrivesOf(this.#parts.database.db, accountId, { areDeleted });
    const named = found.map((drive) => ({ drive, key: drive.name === null ? '' : toSortName(drive.name) }));
    named.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.drive.id - b.drive.id));
    return named.map(({ drive }) => drive);
  }

  /** @throws Failure `not-found`; `forbidden` if the caller is not a manager, or the drive is personal */
  rename(call: DriveCall, name: FileName): Promise<DriveOfMember> {
    const { caller, driveId } = call;
    return this.#changeAsManager(call, async (tx) => {
      await setDriveName(tx, driveId, name, this.#parts.clock.now());
      await this.#announce(tx, driveId);
      return getDriveOf(tx, caller.accountId, driveId);
    });
  }

  /**
   * Deletes a shared drive: from now on it does not exist for anyone, but can be restored until its purge
   * begins.
   * @param name must be the drive's name
   * @throws Failure `not-found`; `forbidden` if the caller is not a manager, or the drive is personal;
   *   `rejected` for another name
   */
  async delete(call: DriveCall, name: string): Promise<void> {
    await this.#changeAsManager(call, async (tx) => {
      const current = await findDriveName(tx, call.driveId);
      if (current === undefined) throw noDrive();
      checkDriveName(current, name);
      await this.deleteIn(tx, call.driveId);
    });
    this.noteDeletion();
  }

  /**
   * Deletes a shared drive in a transaction that has locked it. After the commit, {@link noteDeletion} must
   * be called.
   * @throws Failure `not-found` if it is deleted already
   */
  async deleteIn(tx: Tx, driveId: number): Promise<void> {
    if (!(await markDeleted(tx, driveId, this.#parts.clock.now()))) throw noDrive();
    await this.#announce(tx, driveId);
  }

  /** Lets the removal of deleted drives end the work in a drive that has just been deleted. */
  noteDeletion(): void {
    for (const hook of this.#deletedHooks) hook();
  }

  /**
   * Restores a deleted drive. Tasks and uploads that were unfinished stay ended.
   * @throws Failure `not-found`, also once the purge has begun; `forbidden` if the caller is not a manager,
   *   or the drive is personal; `rejected` if the drive is not deleted
   */
  async restore({ caller, driveId }: DriveCall): Promise<DriveOfMember> {
    if (driveId === caller.driveId) throw new Failure('forbidden', PERSONAL_DRIVE);
    const { accountId } = caller;
    const { db } = this.#parts.database;
    checkRestorable(await findRoleInAny(db, accountId, driveId));
    await this.endWork(driveId, new AbortController().signal);
    return await this.#parts.withDriveLock({ driveId, accountId: null }, async (tx) => {
      checkRestorable(await findRoleInAny(tx, accountId, driveId));
      await this.restoreIn(tx, driveId);
      return getDriveOf(tx, accountId, driveId);
    });
  }

  /**
   * Restores a deleted drive in a transaction that has locked it. {@link endWork} must have been called
   * before.
   * @throws Failure `not-found` if it is not deleted, or its purge has begun
   */
  async restoreIn(tx: Tx, driveId: number): Promise<void> {
    if (!(await markRestored(tx, driveId, this.#parts.clock.now()))) throw noDrive();
    await this.#announce(tx, driveId);
  }

  /** Ends the unfinished tasks and uploads in a deleted drive. May be repeated. */
  async endWork(driveId: number, signal: AbortSignal): Promise<void> {
    const duringDeletion: DuringDeletion = (work) =>
      this.#parts.withDriveLock({ driveId, accountId: null }, async (tx) =>
        (await isDeleted(tx, driveId)) ? work(tx) : [],
      );
    for (const hook of this.#endWorkHooks) await hook(driveId, duringDeletion, signal);
  }

  /**
   * Only managers get the lock, which checks the role again. In a personal drive, it would check no role.
   * @throws Failure `not-found`; `forbidden`
   */
  async #changeAsManager<T>({ caller, driveId }: DriveCall, change: (tx: Tx) => Promise<T>): Promise<T> {
    await this.#parts.members.checkCaller(caller, driveId, 'MANAGER', PERSONAL_DRIVE);
    const { accountId } = caller;
    return this.#parts.withDriveLock({ driveId, accountId, needs: 'MANAGER' }, change);
  }

  /** Tells all members, once the transaction is durable, that their list of drives has changed. */
  async #announce(tx: Tx, driveId: number): Promise<void> {
    publishDrivesChanged(this.#parts.database, tx, await findMemberIds(tx, driveId));
  }
}

/** @throws Failure `not-found` */
async function getDriveOf(tx: Tx, accountId: number, driveId: number): Promise<DriveOfMember> {
  const drive = await findDriveOf(tx, accountId, driveId);
  if (drive === undefined) throw noDrive();
  return drive;
}

/** @throws Failure `not-found`; `forbidden`; `rejected` */
function checkRestorable(found: Awaited<ReturnType<typeof findRoleInAny>>): void {
  if (found === undefined) throw noDrive();
  checkRole(found.role, 'MANAGER');
  if (found.deletedAt === null) throw new Failure('rejected', 'The drive is not deleted.');
}
