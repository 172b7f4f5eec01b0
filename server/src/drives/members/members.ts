import { noAccount } from '../../accounts/accounts.ts';
import type { Clock } from '../../base/clock.ts';
import {
  type AccountInDrive,
  type AccountInDrives,
  checkRole,
  type DriveRole,
  noDrive,
} from '../../base/domain/drives.ts';
import { Failure } from '../../base/failure.ts';
import type { Database, Db, Tx } from '../../database/database.ts';
import { publishDrivesChanged } from '../../events/events.ts';
import type { Notifications } from '../../notifications/notifications.ts';
import { MAX_MEMBERS, MAX_SHARED_DRIVES_OF_ACCOUNT } from '../bounds.ts';
import {
  deleteAbandonedDrives,
  deleteMembershipsOf,
  lockDrivesOf,
  promoteSuccessors,
} from './deletion-queries.ts';
import type { DriveUser } from './member-check.ts';
import type { AccountToFind, People } from './people.ts';
import {
  countMemberships,
  deleteMember,
  findMember,
  findMembers,
  findMemberships,
  findNames,
  findRole,
  hasOtherManager,
  insertMember,
  lockExistingAccount,
  type Member,
  type NewMember,
  updateRole,
} from './queries.ts';

/** An account, and some drives that it may no longer change. */
interface Reduction extends AccountInDrives {
  /** Its role there now; undefined if it is no longer a member, or is banned. */
  readonly role: 'VIEWER' | undefined;
}

/**
 * Ends what the account has begun and may no longer finish. Runs in the transaction that reduces its rights,
 * which has locked the drives.
 */
type ReducedHook = (tx: Tx, reduction: Reduction) => Promise<void>;

/** A new role in a drive. */
interface RoleChange {
  readonly driveId: number;
  readonly role: DriveRole;
  /** The account that gives the role; null for the service itself. */
  readonly by: number | null;
}

interface MembersParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly people: People;
  readonly notifications: Notifications;
  /** Runs the work in a transaction that locks the drive. It may change hundreds of rows. */
  readonly withDriveLock: <T>(user: DriveUser, work: (tx: Tx) => Promise<T>) => Promise<T>;
}

/**
 * The members of shared drives. Every change locks the drive, like each change of its content. So nothing that
 * a member has begun is committed after the member was removed or demoted, and a drive always has a manager.
 */
export class Members {
  readonly #parts: MembersParts;
  readonly #reducedHooks: ReducedHook[] = [];

  constructor(parts: MembersParts) {
    this.#parts = parts;
  }

  /** Calls the hook in every transaction after which an account may no longer change some drives. */
  onReduced(hook: ReducedHook): void {
    this.#reducedHooks.push(hook);
  }

  /** @throws Failure as {@link checkCaller} */
  async list(caller: AccountInDrive, driveId: number): Promise<readonly Member[]> {
    await this.checkCaller(caller, driveId, 'VIEWER');
    return this.listAll(driveId);
  }

  /** Like {@link list}, for any caller, and also for a deleted drive. */
  listAll(driveId: number): Promise<readonly Member[]> {
    return findMembers(this.#parts.database.db, driveId, MAX_MEMBERS);
  }

  /** A member of a drive, which may be deleted. */
  find(db: Db, membership: AccountInDrive): Promise<Member | undefined> {
    return findMember(db, membership);
  }

  /**
   * Adds the account with that name.
   * @throws Failure `not-found` if there is no such account or drive; `conflict` if it is a member already;
   *   `too-many` after too many unknown names; `forbidden`; `over-limit`
   */
  async add(caller: AccountInDrive, driveId: number, named: AccountToFind, role: DriveRole): Promise<Member> {
    // Only managers may find out which accounts exist.
    await this.checkCaller(caller, driveId, 'MANAGER');
    const { accountId } = await this.#parts.people.get(caller.accountId, named);
    return this.#changeAs(caller, driveId, 'MANAGER', async (tx) => {
      const member = { driveId, accountId, role, addedBy: caller.accountId };
      await this.insert(tx, member);
      await this.tellAdded(tx, [member]);
      return this.#get(tx, { driveId, accountId });
    });
  }

  /**
   * @throws Failure `conflict` if the drive would have no manager; `not-found` if there is no such member or
   *   drive; `forbidden`
   */
  async setRole(caller: AccountInDrive, membership: AccountInDrive, role: DriveRole): Promise<Member> {
    const { driveId } = membership;
    return this.#changeAs(caller, driveId, 'MANAGER', async (tx) => {
      await this.#changeRole(tx, await this.#get(tx, membership), { driveId, role, by: caller.accountId });
      return this.#get(tx, membership);
    });
  }

  /**
   * Removes a member. Any member can leave; only managers can remove others.
   * @throws Failure as {@link setRole}
   */
  async remove(caller: AccountInDrive, membership: AccountInDrive): Promise<void> {
    const { driveId, accountId } = membership;
    const needs = caller.accountId === accountId ? 'VIEWER' : 'MANAGER';
    await this.#changeAs(caller, driveId, needs, async (tx) => {
      const { role } = await this.#get(tx, membership);
      if (role === 'MANAGER') await checkOtherManager(tx, membership);
      await deleteMember(tx, membership);
      await this.#reduce(tx, { accountId, driveIds: [driveId], role: undefined });
      publishDrivesChanged(this.#parts.database, tx, [accountId]);
    });
  }

  /**
   * Adds a member in a transaction that has locked the drive. Does not tell them ({@link tellAdded}).
   * @throws Failure `not-found` if there is no such account; `conflict` if it is a member already; `over-limit`
   */
  async insert(tx: Tx, member: NewMember): Promise<void> {
    const { database, clock } = this.#parts;
    const { driveId, accountId } = member;
    if (!(await lockExistingAccount(tx, accountId))) throw noAccount();
    if (!(await insertMember(tx, member, clock.now()))) {
      throw new Failure('conflict', 'This account is a member of the drive already.');
    }
    // The drive and the account are locked, so no one else adds members or memberships meanwhile. Deleted drives
    // do not count, because no one can leave them; if they are restored, the account may have more drives.
    if ((await countMemberships(tx, { driveId })) > MAX_MEMBERS) {
      throw new Failure('over-limit', `A drive can have ${MAX_MEMBERS} members.`);
    }
    if ((await countMemberships(tx, { accountId })) > MAX_SHARED_DRIVES_OF_ACCOUNT) {
      throw new Failure('over-limit', 'This account is a member of too many drives.');
    }
    publishDrivesChanged(database, tx, [accountId]);
  }

  /** Tells new members of one drive, who were all added by the same account. */
  async tellAdded(tx: Tx, members: readonly NewMember[]): Promise<void> {
    const byRole = Map.groupBy(members, ({ role }) => role);
    for (const [role, group] of byRole) {
      const [{ driveId, addedBy: by } = { driveId: 0, addedBy: null }] = group;
      await this.#tell(tx, { driveId, role, by }, { accountIds: group.map(toAccountId), isNew: true });
    }
  }

  /**
   * Adds a member or changes the role of one, in a transaction that has locked the drive. Does not check who
   * asks for it.
   * @throws Failure as {@link setRole} and {@link insert}
   */
  async put(tx: Tx, member: NewMember): Promise<Member> {
    const existing = await findMember(tx, member);
    const { driveId, role, addedBy: by } = member;
    if (existing !== undefined) {
      await this.#changeRole(tx, existing, { driveId, role, by });
    } else {
      await this.insert(tx, member);
      await this.tellAdded(tx, [member]);
    }
    return this.#get(tx, member);
  }

  /**
   * Locks the shared drives of an account, in a transaction that will lock the account and then end or suspend
   * its memberships. Whoever adds a member locks the drive first, too.
   */
  async lockAllOf(tx: Tx, accountId: number): Promise<void> {
    await lockDrivesOf(tx, accountId);
  }

  /**
   * Ends what an account that is being banned has begun in shared drives, in the transaction that has locked the
   * account. It stays a member, for the time after the ban.
   */
  async suspendAllOf(tx: Tx, accountId: number): Promise<void> {
    const driveIds = await lockDrivesOf(tx, accountId);
    if (driveIds.length > 0) await this.#reduce(tx, { accountId, driveIds, role: undefined });
  }

  /**
   * Ends all memberships of an account whose deletion begins, in the transaction that has locked the account.
   * A drive that has no manager then gets one; a drive without members is deleted.
   */
  async endAllOf(tx: Tx, accountId: number): Promise<void> {
    const { database, clock } = this.#parts;
    // Also locks those that the account has joined since `lockAllOf`. PostgreSQL ends a deadlock that this may
    // cause, and the transaction runs again.
    const driveIds = await lockDrivesOf(tx, accountId);
    if (driveIds.length === 0) return;
    await deleteMembershipsOf(tx, accountId);
    const successors = await promoteSuccessors(tx, driveIds);
    await deleteAbandonedDrives(tx, driveIds, clock.now());
    await this.#reduce(tx, { accountId, driveIds, role: undefined });
    for (const { driveId, accountId: successorId } of successors) {
      const change = { driveId, role: 'MANAGER', by: null } as const;
      await this.#tell(tx, change, { accountIds: [successorId], isNew: false });
    }
    publishDrivesChanged(database, tx, [accountId, ...successors.map(toAccountId)]);
  }

  /** Ends the memberships of an account that is being deleted. Usually there are none left. */
  async deleteAllOf(accountId: number): Promise<void> {
    await this.#parts.database.transactBySize(
      async () => true,
      (tx) => this.endAllOf(tx, accountId),
    );
  }

  /** Returns, for each of the accounts in order, whether it is a member of the shared drive. */
  async areMembers(memberships: readonly AccountInDrive[]): Promise<readonly boolean[]> {
    if (memberships.length === 0) return [];
    const found = await findMemberships(this.#parts.database.db, memberships);
    const keys = new Set(found.map(keyOf));
    return memberships.map((membership) => keys.has(keyOf(membership)));
  }

  async #changeRole(tx: Tx, before: Member, change: RoleChange): Promise<void> {
    const { driveId, role } = change;
    if (before.role === role) return;
    const { accountId } = before;
    const membership = { driveId, accountId };
    if (before.role === 'MANAGER') await checkOtherManager(tx, membership);
    await updateRole(tx, membership, role);
    if (role === 'VIEWER') await this.#reduce(tx, { accountId, driveIds: [driveId], role });
    await this.#tell(tx, change, { accountIds: [accountId], isNew: false });
    publishDrivesChanged(this.#parts.database, tx, [accountId]);
  }

  /** Tells accounts about their role in a drive, except the one that has changed it, and if it is deleted. */
  async #tell(
    tx: Tx,
    { driveId, role, by }: RoleChange,
    { accountIds, isNew }: { readonly accountIds: readonly number[]; readonly isNew: boolean },
  ): Promise<void> {
    const others = accountIds.filter((id) => id !== by);
    if (others.length === 0) return;
    const { driveName, byName } = (await findNames(tx, { driveId, accountId: by })) ?? {};
    if (driveName === undefined || driveName === null) return;
    await this.#parts.notifications.notify(tx, others, {
      kind: 'DRIVE_MEMBER',
      data: { driveId, driveName, role, isNew, byName: byName ?? null },
    });
  }

  async #reduce(tx: Tx, reduction: Reduction): Promise<void> {
    for (const hook of this.#reducedHooks) await hook(tx, reduction);
  }

  /** Runs the change under the lock of the drive, which checks the role of the caller again. */
  async #changeAs<T>(
    caller: AccountInDrive,
    driveId: number,
    needs: DriveRole,
    change: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    // Also checked before the lock, so no one waits for the drives of others.
    await this.checkCaller(caller, driveId, needs);
    return this.#parts.withDriveLock({ driveId, accountId: caller.accountId, needs }, change);
  }

  /**
   * Checks the role of a caller in a shared drive.
   * @param caller the account, and its personal drive
   * @param ifPersonal the message for its personal drive
   * @throws Failure `not-found` if the caller is not a member; `forbidden` if its role is too low, or for its
   *   personal drive
   */
  async checkCaller(
    caller: AccountInDrive,
    driveId: number,
    needs: DriveRole,
    ifPersonal = 'This is your personal drive. It has no other members.',
  ): Promise<void> {
    if (driveId === caller.driveId) throw new Failure('forbidden', ifPersonal);
    const role = await findRole(this.#parts.database.db, { driveId, accountId: caller.accountId });
    if (role === undefined) throw noDrive();
    checkRole(role, needs);
  }

  /** @throws Failure `not-found` */
  async #get(tx: Tx, membership: AccountInDrive): Promise<Member> {
    const member = await findMember(tx, membership);
    if (member === undefined) throw new Failure('not-found', 'There is no such member.');
    return member;
  }
}

/** @throws Failure `conflict` */
async function checkOtherManager(tx: Tx, membership: AccountInDrive): Promise<void> {
  if (await hasOtherManager(tx, membership)) return;
  throw new Failure('conflict', 'A drive needs a manager. Make someone else a manager first.');
}

function toAccountId({ accountId }: { readonly accountId: number }): number {
  return accountId;
}

function keyOf({ driveId, accountId }: AccountInDrive): string {
  return `${driveId} ${accountId}`;
}
