import {
  type Account,
  type Accounts,
  type AccountWithUsage,
  getAccount,
  hadFactors,
  noAccount,
  type RemovedFactors,
} from '../../accounts/accounts.ts';
import type { Activity } from '../../activity/activity.ts';
import type { AuditAction, AuditEntry } from '../../audit/audit.ts';
import type { Clock } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import type { Role } from '../../base/domain/accounts.ts';
import type { Page, PageRequest } from '../../base/page.ts';
import type { Database, Tx } from '../../database/database.ts';
import { type DriveLimits, type Drives, lockDrive } from '../../drives/drives.ts';
import type { Caller } from '../../http/caller.ts';
import { mapPage } from '../../http/fields.ts';
import type { AuditedActions, AuditedWork } from '../audited-actions.ts';
import { isLargeTable } from '../lists/size-queries.ts';
import type { AdminUser, NewAdminUser, NewUserBody } from './contract.ts';
import { findUser, findUsers, type UserFilter, type UserRow } from './queries.ts';

interface AdminUsersParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly drives: Drives;
  readonly activity: Activity;
  readonly actions: AuditedActions;
  readonly onAccountDeletion: () => void;
}

/** How the audit log names the limits. */
const LIMITS = {
  quotaBytes: { action: 'UPDATE_USER_QUOTA', name: 'storage quota', unit: ' bytes' },
  maxUploadBytes: { action: 'UPDATE_USER_UPLOAD_LIMIT', name: 'maximum upload size', unit: ' bytes' },
  maxEntries: { action: 'UPDATE_USER_MAX_ENTRIES', name: 'maximum number of entries', unit: '' },
} as const satisfies Readonly<Record<keyof DriveLimits, { action: AuditAction; name: string; unit: string }>>;

/** Accounts as administrators see and change them. */
export class AdminUsers {
  readonly #parts: AdminUsersParts;

  constructor(parts: AdminUsersParts) {
    this.#parts = parts;
  }

  async list(filter: UserFilter, page: PageRequest): Promise<Page<AdminUser>> {
    await this.#parts.activity.flush();
    const found = await this.#parts.database.readBySize(isLargeTable('account'), (db) =>
      findUsers(db, filter, page),
    );
    return mapPage({ ...found, page: page.page, size: page.size }, toAdminUser);
  }

  /** The password is in the result only if it was generated. */
  async create(caller: Caller, wanted: NewUserBody): Promise<NewAdminUser> {
    const { administration } = this.#parts.accounts;
    const password = wanted.password ?? undefined;
    const prepared = await administration.prepareAccount(caller.accountId, { ...wanted, password });
    const user = await this.#change(caller, 'CREATE_USER', async (tx) => {
      const created = await administration.create(tx, caller.accountId, prepared);
      return { before: created, summary: `Created ${created.username}.`, details: { role: created.role } };
    });
    return { ...user, temporaryPassword: password === undefined ? prepared.password : null };
  }

  setRole(caller: Caller, id: number, role: Role): Promise<AdminUser> {
    return this.#change(caller, 'UPDATE_USER_ROLE', async (tx) => {
      const before = await this.#parts.accounts.administration.setRole(tx, caller.accountId, id, role);
      const summary = `Changed the role of ${before.username} to ${role}.`;
      return { before, summary, details: change(before.role, role) };
    });
  }

  setBanned(caller: Caller, id: number, banned: boolean): Promise<AdminUser> {
    const set = async (tx: Tx) => {
      const before = await this.#parts.accounts.administration.setBanned(tx, caller.accountId, id, banned);
      const summary = `${banned ? 'Banned' : 'Unbanned'} ${before.username}.`;
      return { before, summary, details: change(toStatus(before.banned === 1), toStatus(banned)) };
    };
    // Long, because a ban ends what the account has begun in shared drives.
    return this.#change(caller, 'UPDATE_USER_STATUS', set, { isLong: banned });
  }

  async setPassword(caller: Caller, id: number, wanted: string): Promise<AdminUser> {
    const { user } = await this.#replacePassword(caller, id, wanted, 'UPDATE_USER_PASSWORD');
    return user;
  }

  /** Sets and returns a random password. It is returned only here and works until the user changes it. */
  async resetPassword(caller: Caller, id: number): Promise<string> {
    const { password } = await this.#replacePassword(caller, id, undefined, 'RESET_USER_PASSWORD');
    return password;
  }

  /** Removes the second factors of an account. Nothing is recorded if it had none. */
  async resetSecondFactors(caller: Caller, id: number): Promise<void> {
    await this.#parts.actions.perform(caller, async (tx) => {
      const { administration } = this.#parts.accounts;
      const { target, removed } = await administration.resetSecondFactors(tx, caller.accountId, id);
      return { result: undefined, entry: hadFactors(removed) ? toResetEntry(target, removed) : undefined };
    });
  }

  /** Removes an identity of an account. */
  async deleteIdentity(caller: Caller, id: number, identityId: number): Promise<void> {
    await this.#parts.actions.perform(caller, async (tx) => {
      const { administration } = this.#parts.accounts;
      const { target, issuer } = await administration.deleteIdentity(tx, caller.accountId, id, identityId);
      const entry: AuditEntry = {
        action: 'DELETE_IDENTITY',
        targetType: 'USER',
        targetId: id,
        target: target.username,
        summary: `Deleted an identity of ${target.username}.`,
        details: { issuer },
      };
      return { result: undefined, entry };
    });
  }

  /** Changes one limit of the drive of an account. */
  setLimit(caller: Caller, id: number, limit: keyof DriveLimits, value: number): Promise<AdminUser> {
    const { action, name, unit } = LIMITS[limit];
    return this.#change(caller, action, async (tx) => {
      const { driveId } = await getAccount(tx, id);
      // Locked before the account, as everywhere.
      await lockDrive(tx, driveId);
      await this.#parts.accounts.administration.lockTarget(tx, caller.accountId, id);
      const before = await getAccount(tx, id);
      await this.#parts.drives.usage.setLimits(tx, driveId, { [limit]: value });
      const summary = `Set the ${name} of ${before.username} to ${value}${unit}.`;
      return { before, summary, details: change(before[limit], value) };
    });
  }

  /**
   * Begins to delete an account. Its user is logged out at once, and a job deletes its data. Does nothing if
   * the deletion has already begun.
   */
  async delete(caller: Caller, id: number, username: string): Promise<void> {
    const start: AuditedWork<undefined> = async (tx) => {
      const { accountId: actorId } = caller;
      const deleted = await this.#parts.accounts.administration.startDeletion(tx, actorId, id, username);
      return { result: undefined, entry: deleted && toDeletionEntry(deleted) };
    };
    await this.#parts.actions.perform(caller, start, { isLong: true });
    this.#parts.onAccountDeletion();
  }

  async #replacePassword(
    caller: Caller,
    id: number,
    wanted: string | undefined,
    action: 'UPDATE_USER_PASSWORD' | 'RESET_USER_PASSWORD',
  ): Promise<{ readonly user: AdminUser; readonly password: string }> {
    const { administration } = this.#parts.accounts;
    const prepared = await administration.preparePassword(caller.accountId, id, wanted);
    const user = await this.#change(caller, action, async (tx) => {
      const before = await administration.setPassword(tx, caller.accountId, id, { ...prepared, action });
      const summary =
        wanted === undefined
          ? `Reset the password of ${before.username}.`
          : `Set a password for ${before.username}.`;
      return { before, summary, details: {} };
    });
    return { user, password: prepared.password };
  }

  #change(
    caller: Caller,
    action: AuditAction,
    work: (tx: Tx) => Promise<{ before: Account; summary: string; details: AuditEntry['details'] }>,
    options: { readonly isLong?: boolean } = {},
  ): Promise<AdminUser> {
    const audited: AuditedWork<AdminUser> = async (tx) => {
      const { before, summary, details } = await work(tx);
      const target = { targetType: 'USER', targetId: before.id, target: before.username } as const;
      const row = await findUser(tx, before.id);
      if (row === undefined) throw noAccount();
      return { result: toAdminUser(row), entry: { action, ...target, summary, details } };
    };
    return this.#parts.actions.perform(caller, audited, options);
  }
}

function toResetEntry({ id, username }: Account, removed: RemovedFactors): AuditEntry {
  return {
    action: 'RESET_SECOND_FACTORS',
    targetType: 'USER',
    targetId: id,
    target: username,
    summary: `Reset the second factors of ${username}.`,
    details: { ...removed },
  };
}

function toDeletionEntry({ id, username, role, entryCount, usedBytes }: AccountWithUsage): AuditEntry {
  return {
    action: 'DELETE_USER',
    targetType: 'USER',
    targetId: id,
    target: username,
    summary: `Deleted the account ${username}.`,
    details: { role, entryCount, usedBytes },
  };
}

function change(before: string | number, after: string | number) {
  return { before, after };
}

function toStatus(banned: boolean): 'ACTIVE' | 'BANNED' {
  return banned ? 'BANNED' : 'ACTIVE';
}

function toAdminUser(row: UserRow): AdminUser {
  return {
    id: row.id,
    username: row.username,
    displayName: row.displayName,
    email: row.email,
    phoneNumber: row.phoneNumber,
    role: row.role,
    banned: row.banned === 1,
    deleting: row.deletingAt !== null,
    storageUsedBytes: row.usedBytes,
    storageQuotaBytes: row.quotaBytes,
    maxUploadSizeBytes: row.maxUploadBytes,
    maxEntries: row.maxEntries,
    entryCount: row.entryCount,
    fileCount: row.fileCount,
    totp: row.totpConfirmedAt !== null,
    passkeys: Number(row.passkeys),
    identities: row.identities.map(({ id, issuer, createdAt }) => ({
      ...{ id, issuer, createdAt: toTimestamp(createdAt) },
    })),
    hasPassword: row.hasPassword === 1,
    createdAt: toTimestamp(row.createdAt),
    lastActiveAt: row.lastActiveAt === null ? null : toTimestamp(row.lastActiveAt),
  };
}
