import type { Accounts } from '../../accounts/accounts.ts';
import { foldUsername, lockActiveAccount } from '../../accounts/accounts.ts';
import type { Clock } from '../../base/clock.ts';
import type { DriveRole } from '../../base/domain/drives.ts';
import { Failure } from '../../base/failure.ts';
import { type FileName, MAX_NAME_LENGTH } from '../../base/text/names/file-name.ts';
import { toNormalForm } from '../../base/text/names/normal-form.ts';
import { toSortName } from '../../base/text/names/sort-name.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { DriveUser } from '../members/member-check.ts';
import type { Members } from '../members/members.ts';
import { findRole } from '../members/queries.ts';
import { noDrive } from '../usage/usage.ts';
import {
  countCreatedDrives,
  type DriveOfMember,
  findAccountIds,
  findDriveName,
  findDriveOf,
  findDrivesOf,
  findRoleInAny,
  insertSharedDrive,
  isDeleted,
  markDeleted,
  markRestored,
  setDriveName,
} from './queries.ts';

/** The maximum number of members that a drive is created with, besides its creator. */
export const MAX_FIRST_MEMBERS = 100;

/** Who may create shared drives. */
export type DriveCreators = 'all' | 'admins' | 'off';

interface NewDrive {
  readonly name: FileName;
  readonly members: readonly { readonly username: string; readonly role: DriveRole }[];
}

/** Whose call it is, and which drive it is about. */
interface DriveCall {
  readonly caller: { readonly accountId: number; readonly driveId: number };
  readonly driveId: number;
}

/** Runs in a transaction that creates or changes a drive. */
type DriveHook = (tx: Tx, driveId: number) => Promise<void>;
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
  readonly accounts: Accounts;
  readonly members: Members;
  /** Like `Drives.withDriveLock`, without a charge. */
  readonly withDriveLock: <T>(user: DriveUser, work: (tx: Tx) => Promise<T>) => Promise<T>;
  readonly creators: DriveCreators;
  /** How many shared drives one account may have created. Deleted ones count until they are purged. */
  readonly maxSharedDrives: number;
}

/** Creates, lists, renames, deletes and restores shared drives. */
export class SharedDrives {
  readonly #parts: SharedDrivesParts;
  readonly #createdHooks: DriveHook[] = [];
  readonly #changedHooks: DriveHook[] = [];
  readonly #endWorkHooks: EndWorkHook[] = [];
  readonly #deletedHooks: (() => void)[] = [];

  constructor(parts: SharedDrivesParts) {
    this.#parts = parts;
  }

  /** Calls the hook in every transaction that creates a shared drive. It creates the root of the drive. */
  onCreated(hook: DriveHook): void {
    this.#createdHooks.push(hook);
  }

  /** Calls the hook in every transaction that creates, renames, deletes or restores a shared drive. */
  onChanged(hook: DriveHook): void {
    this.#changedHooks.push(hook);
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

  /**
   * Creates a shared drive. The creator becomes its manager.
   * @throws Failure as {@link SharedDrives.createIn}
   */
  create(creatorId: number, drive: NewDrive): Promise<DriveOfMember> {
    return this.#parts.database.transact((tx) => this.createIn(tx, creatorId, drive));
  }

  /**
   * Creates a shared drive in the caller's transaction, which must not have locked a drive before: it locks
   * the creator's account first.
   * @param fill puts content into the new drive, of which no one else knows yet
   * @throws Failure `forbidden` if the creator may not create drives; `not-found` if a member does not exist;
   *   `conflict` if a member is named twice, or is the creator; `over-limit` if the creator has too many
   *   drives; whatever `fill` throws
   */
  async createIn(
    tx: Tx,
    creatorId: number,
    { name, members }: NewDrive,
    fill: DriveHook = async () => {},
  ): Promise<DriveOfMember> {
    const { clock, accounts, maxSharedDrives } = this.#parts;
    const creator = await lockActiveAccount(tx, creatorId);
    this.#checkMayCreate(creator.role);
    const roles = await findMemberRoles(tx, creatorId, members);
    // The lock on the account makes concurrent creations wait, so they cannot exceed the limit together.
    if ((await countCreatedDrives(tx, creatorId)) >= maxSharedDrives) throw overDrives(maxSharedDrives);
    const now = clock.now();
    const limits = await accounts.defaults.find(tx);
    const driveId = await insertSharedDrive(tx, { name, creatorId, limits }, now);
    await this.#parts.members.insert(tx, { driveId, accountId: creatorId, role: 'MANAGER', addedBy: null });
    // In the order of ids, so that two creations with the same members cannot wait for each other.
    for (const member of roles.toSorted((a, b) => a.accountId - b.accountId)) {
      await this.#parts.members.insert(tx, { driveId, ...member, addedBy: creatorId });
    }
    for (const hook of this.#createdHooks) await hook(tx, driveId);
    await fill(tx, driveId);
    for (const hook of this.#changedHooks) await hook(tx, driveId);
    return getDriveOf(tx, creatorId, driveId);
  }

  /** @throws Failure `not-found`; `forbidden` if the caller is not a manager, or the drive is personal */
  async rename({ caller, driveId }: DriveCall, name: FileName): Promise<DriveOfMember> {
    const user = await this.#toManager(caller, driveId);
    return await this.#parts.withDriveLock(user, async (tx) => {
      await setDriveName(tx, driveId, name);
      for (const hook of this.#changedHooks) await hook(tx, driveId);
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
  async delete({ caller, driveId }: DriveCall, name: string): Promise<void> {
    const user = await this.#toManager(caller, driveId);
    await this.#parts.withDriveLock(user, (tx) => this.deleteIn(tx, driveId, name));
    this.noteDeletion();
  }

  /**
   * Deletes a shared drive in a transaction that has locked it. After the commit, {@link noteDeletion} must
   * be called.
   * @throws Failure `not-found` if it is deleted already; `rejected` for another name
   */
  async deleteIn(tx: Tx, driveId: number, name: string): Promise<void> {
    const current = await findDriveName(tx, driveId);
    if (current === undefined) throw noDrive();
    this.checkName(current, name);
    await markDeleted(tx, driveId, this.#parts.clock.now());
    for (const hook of this.#changedHooks) await hook(tx, driveId);
  }

  /** @throws Failure `rejected` unless the text is the name */
  checkName(name: string, text: string): void {
    if (toNormalForm(text, MAX_NAME_LENGTH) === name) return;
    throw new Failure('rejected', 'This is not the name of the drive.', { field: 'name' });
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
    if (driveId === caller.driveId) throw personalDrive();
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
    if (!(await markRestored(tx, driveId))) throw noDrive();
    for (const hook of this.#changedHooks) await hook(tx, driveId);
  }

  /** Ends the unfinished tasks and uploads in a deleted drive. May be repeated. */
  async endWork(driveId: number, signal: AbortSignal): Promise<void> {
    const duringDeletion: DuringDeletion = (work) =>
      this.#parts.withDriveLock({ driveId, accountId: null }, async (tx) =>
        (await isDeleted(tx, driveId)) ? work(tx) : [],
      );
    for (const hook of this.#endWorkHooks) await hook(driveId, duringDeletion, signal);
  }

  /** @throws Failure `forbidden` */
  #checkMayCreate(role: 'USER' | 'MODERATOR' | 'ADMIN'): void {
    const { creators } = this.#parts;
    if (creators === 'all' || (creators === 'admins' && role !== 'USER')) return;
    throw new Failure('forbidden', 'You may not create shared drives here.');
  }

  /**
   * Only members get a lock, since the lock of a personal drive checks no role.
   * @throws Failure `not-found`; `forbidden` for the caller's personal drive
   */
  async #toManager(caller: DriveCall['caller'], driveId: number): Promise<DriveUser> {
    if (driveId === caller.driveId) throw personalDrive();
    const user = { driveId, accountId: caller.accountId };
    if ((await findRole(this.#parts.database.db, user)) === undefined) throw noDrive();
    return { ...user, needs: 'MANAGER' };
  }
}

/** @throws Failure `not-found` */
async function getDriveOf(tx: Tx, accountId: number, driveId: number): Promise<DriveOfMember> {
  const drive = await findDriveOf(tx, accountId, driveId);
  if (drive === undefined) throw noDrive();
  return drive;
}

/**
 * The accounts of the first members, with their roles.
 * @throws Failure `not-found`; `conflict` if one is named twice, or is the creator
 */
async function findMemberRoles(tx: Tx, creatorId: number, members: NewDrive['members']) {
  const ids = await findAccountIds(
    tx,
    members.map(({ username }) => foldUsername(username)),
  );
  const roles = new Map<number, DriveRole>();
  for (const { username, role } of members) {
    const accountId = ids.get(foldUsername(username));
    if (accountId === undefined) {
      throw new Failure('not-found', `There is no account named "${username}".`, { field: 'members' });
    }
    if (accountId === creatorId || roles.has(accountId)) {
      throw new Failure('conflict', `"${username}" is a member already.`, { field: 'members' });
    }
    roles.set(accountId, role);
  }
  return [...roles].map(([accountId, role]) => ({ accountId, role }));
}

/** @throws Failure `not-found`; `forbidden`; `rejected` */
function checkRestorable(found: Awaited<ReturnType<typeof findRoleInAny>>): void {
  if (found === undefined) throw noDrive();
  if (found.role !== 'MANAGER') {
    throw new Failure('forbidden', `Your role in this drive (${found.role}) does not allow this.`);
  }
  if (found.deletedAt === null) throw new Failure('rejected', 'The drive is not deleted.');
}

function personalDrive(): Failure {
  return new Failure('forbidden', 'This is not possible for a personal drive.');
}

function overDrives(limit: number): Failure {
  return new Failure('over-limit', `You can create at most ${limit} shared drives.`);
}
