import { type Accounts, findAccount, noAccount } from '../../accounts/accounts.ts';
import type { AuditAction, AuditEntry } from '../../audit/audit.ts';
import type { Clock } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import { type AccountInDrive, type DriveRole, noDrive } from '../../base/domain/drives.ts';
import { Failure } from '../../base/failure.ts';
import type { Page, PageRequest } from '../../base/page.ts';
import type { Database, Db, Tx } from '../../database/database.ts';
import {
  checkDriveName,
  type DriveLimits,
  type Drives,
  lockDrive,
  type Member,
} from '../../drives/drives.ts';
import type { Caller } from '../../http/caller.ts';
import { mapPage } from '../../http/fields.ts';
import type { AuditedActions, AuditedWork } from '../audited-actions.ts';
import { isLargeTable } from '../lists/size-queries.ts';
import type { AdminDrive, AdminDriveMember } from './contract.ts';
import { type DriveFilter, type DriveRow, findDrive, findDrives } from './queries.ts';

interface AdminDrivesParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly drives: Drives;
  readonly actions: AuditedActions;
}

/** A change of a drive, as the audit log describes it. */
interface Change {
  readonly summary: string;
  readonly details: AuditEntry['details'];
}

/** Drives as administrators see and change them, without their content. */
export class AdminDrives {
  readonly #parts: AdminDrivesParts;

  constructor(parts: AdminDrivesParts) {
    this.#parts = parts;
  }

  async list(filter: DriveFilter, page: PageRequest): Promise<Page<AdminDrive>> {
    const found = await this.#parts.database.readBySize(isLargeTable('drive'), (db) =>
      findDrives(db, filter, page),
    );
    return mapPage({ ...found, page: page.page, size: page.size }, toAdminDrive);
  }

  /**
   * Changes the given limits. Those of a personal drive follow the rules for its owner's account.
   * @throws Failure `not-found`; `forbidden` and `rejected` as `AccountAdministration.lockTarget`
   */
  setLimits(caller: Caller, id: number, limits: Partial<DriveLimits>): Promise<AdminDrive> {
    return this.#change(caller, id, 'UPDATE_DRIVE_LIMITS', async (tx, { ownerId }) => {
      // Locked before the account, as everywhere.
      await lockDrive(tx, id);
      if (ownerId !== null) {
        await this.#parts.accounts.administration.lockTarget(tx, caller.accountId, ownerId);
      }
      const { quotaBytes, maxEntries, maxUploadBytes, ...drive } = await getDrive(tx, id);
      await this.#parts.drives.usage.setLimits(tx, id, limits);
      const before = { quotaBytes, maxEntries, maxUploadBytes };
      const summary = `Changed the limits of ${labelOf(drive)}.`;
      return { summary, details: { before, after: { ...before, ...limits } } };
    });
  }

  /** The members of a shared drive, also of a deleted one. @throws Failure `not-found`; `forbidden` */
  async listMembers(id: number): Promise<readonly AdminDriveMember[]> {
    checkShared(await getDrive(this.#parts.database.db, id));
    return (await this.#parts.drives.members.listAll(id)).map(toAdminDriveMember);
  }

  /**
   * Adds a member to a shared drive, or changes the role of one. Also of a deleted drive, so that it can be
   * restored with a manager. Nothing is recorded if the account has the role already.
   * @throws Failure `not-found` for an unknown drive or account; `conflict` if no manager would remain;
   *   `forbidden` for a personal drive, or if a moderator changes the role of an administrator
   */
  setMember(
    caller: Caller,
    { driveId, accountId, role }: AccountInDrive & { readonly role: DriveRole },
  ): Promise<AdminDriveMember> {
    const set: AuditedWork<AdminDriveMember> = async (tx) => {
      const { name } = await lockShared(tx, driveId);
      const account = await findAccount(tx, accountId);
      if (account === undefined || account.deletingAt !== null) {
        throw noAccount();
      }
      await this.#parts.accounts.administration.lockTarget(tx, caller.accountId, accountId);
      const { members } = this.#parts.drives;
      const before = (await members.find(tx, { driveId, accountId }))?.role ?? null;
      const member = await members.put(tx, { driveId, accountId, role, addedBy: caller.accountId });
      const { username } = member;
      const entry: AuditEntry = {
        ...toTarget('SET_DRIVE_MEMBER', driveId, name),
        summary: `Made ${username} ${role} of the drive ${name}.`,
        details: { accountId, username, before, after: role },
      };
      return { result: toAdminDriveMember(member), entry: before === role ? undefined : entry };
    };
    // Long, because a member who becomes a viewer may have begun much.
    return this.#perform(caller, set, { isLong: true });
  }

  /**
   * Deletes a shared drive: it is closed at once, and purged later. Does nothing if it is deleted already.
   * @param name must be the name of the drive
   * @throws Failure `rejected` for another name; `forbidden` for a personal drive; `not-found`
   */
  async delete(caller: Caller, id: number, name: string): Promise<void> {
    const { sharedDrives } = this.#parts.drives;
    await this.#perform(caller, async (tx) => {
      const drive = await lockShared(tx, id);
      checkDriveName(drive.name, name);
      const isLive = drive.deletedAt === null;
      if (isLive) await sharedDrives.deleteIn(tx, id);
      const { memberCount, entryCount, usedBytes } = drive;
      const entry: AuditEntry = {
        ...toTarget('DELETE_DRIVE', id, drive.name),
        summary: `Deleted the drive ${drive.name}.`,
        details: { memberCount, entryCount, usedBytes },
      };
      return { result: undefined, entry: isLive ? entry : undefined };
    });
    sharedDrives.noteDeletion();
  }

  /** @throws Failure `rejected` if the drive is not deleted; `forbidden` for a personal drive; `not-found` */
  async restore(caller: Caller, id: number): Promise<AdminDrive> {
    const { sharedDrives } = this.#parts.drives;
    await sharedDrives.endWork(id, new AbortController().signal);
    return await this.#change(caller, id, 'RESTORE_DRIVE', async (tx) => {
      const { name, memberCount, managerCount, deletedAt } = await lockShared(tx, id);
      if (deletedAt === null) throw new Failure('rejected', 'This drive is not deleted.');
      await sharedDrives.restoreIn(tx, id);
      return { summary: `Restored the drive ${name}.`, details: { memberCount, managerCount } };
    });
  }

  /**
   * Like `AuditedActions.perform`, but also reads the role of the caller again.
   * @throws Failure `forbidden` if the caller is no longer an administrator
   */
  #perform<T>(caller: Caller, work: AuditedWork<T>, options: { readonly isLong?: boolean } = {}): Promise<T> {
    const { accounts, actions } = this.#parts;
    const checked: AuditedWork<T> = async (tx) => {
      await accounts.administration.checkActor(tx, caller.accountId);
      return work(tx);
    };
    return actions.perform(caller, checked, options);
  }

  #change(
    caller: Caller,
    id: number,
    action: AuditAction,
    work: (tx: Tx, drive: DriveRow) => Promise<Change>,
  ): Promise<AdminDrive> {
    return this.#perform(caller, async (tx) => {
      const change = await work(tx, await getDrive(tx, id));
      const drive = await getDrive(tx, id);
      const target = drive.name ?? drive.ownerUsername ?? '';
      return { result: toAdminDrive(drive), entry: { ...toTarget(action, id, target), ...change } };
    });
  }
}

/** @throws Failure `not-found` */
async function getDrive(db: Db, id: number): Promise<DriveRow> {
  const drive = await findDrive(db, id);
  if (drive === undefined) throw noDrive();
  return drive;
}

/** Locks a shared drive, so that its members stay as they are. @throws Failure `not-found`; `forbidden` */
async function lockShared(tx: Tx, id: number): Promise<DriveRow & { readonly name: string }> {
  await lockDrive(tx, id);
  return checkShared(await getDrive(tx, id));
}

function checkShared(drive: DriveRow): DriveRow & { readonly name: string } {
  const { name } = drive;
  if (name !== null) return { ...drive, name };
  throw new Failure('forbidden', 'This is the personal drive of an account.');
}

function toTarget(action: AuditAction, id: number, target: string) {
  return { action, targetType: 'DRIVE', targetId: id, target } as const;
}

function labelOf({ name, ownerUsername }: Pick<DriveRow, 'name' | 'ownerUsername'>): string {
  return name === null ? `the personal drive of ${ownerUsername}` : `the drive ${name}`;
}

function toAdminDrive({ createdAt, deletedAt, memberCount, managerCount, ...drive }: DriveRow): AdminDrive {
  return {
    ...drive,
    memberCount: Number(memberCount),
    managerCount: Number(managerCount),
    createdAt: toTimestamp(createdAt),
    deletedAt: deletedAt === null ? null : toTimestamp(deletedAt),
  };
}

function toAdminDriveMember({ since, addedBy: _, ...member }: Member): AdminDriveMember {
  return { ...member, since: toTimestamp(since) };
}
