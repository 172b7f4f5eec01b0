import type { Accounts } from '../accounts/accounts.ts';
import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../base/clock.ts';
import { KeyedMutex } from '../base/concurrency/keyed-mutex.ts';
import type { AccountInDrive, DriveRole } from '../base/domain/drives.ts';
import type { Ids } from '../base/ids.ts';
import type { Database, Db, Tx } from '../database/database.ts';
import type { CredentialLimiter } from '../limits/limits.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { MAX_SHARED_DRIVES_OF_ACCOUNT } from './bounds.ts';
import { DriveCreation, type DriveCreators } from './lifecycle/drive-creation.ts';
import { SharedDrives } from './lifecycle/shared-drives.ts';
import { checkUser, type DriveUser, holdRole } from './members/member-check.ts';
import { Members } from './members/members.ts';
import { People } from './members/people.ts';
import { findRole, findSharedDrives, type Member } from './members/queries.ts';
import { type SumAnnouncedBytes, UploadReservations } from './reservations/upload-reservations.ts';
import { DriveUsage } from './usage/drive-usage.ts';
import type { Usage } from './usage/queries.ts';
import { lockDrive } from './usage/usage.ts';

export { MAX_MEMBERS } from './bounds.ts';
export { checkDriveName } from './lifecycle/drive-name.ts';
export { DRIVE_RETENTION_MS, type DriveRecords } from './lifecycle/drive-purge.ts';
export { findDriveName, PURGING } from './lifecycle/queries.ts';
export type { DuringDeletion } from './lifecycle/shared-drives.ts';
export {
  type DriveLimits,
  deleteDrive,
  findPersonalDrive,
  insertPersonalDrive,
  ownerOf,
  toDriveNameColumns,
} from './queries.ts';
export type { UploadReservation } from './reservations/upload-reservation.ts';
export { overReserved, type Visit } from './reservations/upload-reservations.ts';
export { findKeptExcess } from './usage/queries.ts';
export {
  correctUsage,
  getAllowance,
  getReplacementLimit,
  getUploadLimit,
  lockDrive,
  overEntries,
  releaseUsage,
  type UploadLimit,
} from './usage/usage.ts';
export type { DriveUser, Member, Usage };

interface DrivesParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly accounts: Accounts;
  readonly audit: Audit;
  /** Who may create shared drives. */
  readonly creators: DriveCreators;
  /** How many shared drives one account may have created. */
  readonly maxSharedDrives: number;
  /** Whether searches find the content of files. */
  readonly findsContent: boolean;
  readonly limiter: CredentialLimiter;
  readonly notifications: Notifications;
  readonly peopleSearch: 'known' | 'all';
  /** Sums the bytes that upload sessions have announced. They count like reserved bytes. */
  readonly sumAnnouncedBytes: SumAnnouncedBytes;
}

/**
 * The locks of drives, their members and usage, the bytes that running uploads reserve in them, and shared
 * drives as a whole. What reads or reduces the usage are plain functions: they only need the transaction.
 */
export class Drives {
  readonly usage: DriveUsage;
  readonly reservations: UploadReservations;
  readonly creation: DriveCreation;
  readonly sharedDrives: SharedDrives;
  readonly people: People;
  readonly members: Members;
  readonly findsContent: boolean;
  readonly #database: Database;
  readonly #mutex = new KeyedMutex<number>();

  constructor({ database, limiter, peopleSearch, ...parts }: DrivesParts) {
    this.#database = database;
    this.findsContent = parts.findsContent;
    this.usage = new DriveUsage(parts.notifications);
    this.reservations = new UploadReservations({
      ...{ database, ...parts },
      withDriveLock: (user, work) => this.#lockDuring(user, 0, work, (run) => database.transactVolatile(run)),
    });
    this.people = new People({ database, limiter, peopleSearch });
    this.members = new Members({
      ...{ database, clock: parts.clock, people: this.people, notifications: parts.notifications },
      // Declared as long, because a removed member may have thousands of open uploads.
      withDriveLock: (user, work) => this.withDriveLock(user, 0, work, async () => true),
    });
    this.creation = new DriveCreation({
      ...{ database, ...parts, members: this.members, people: this.people },
      withDriveLock: (user, work, isLong) => this.withDriveLock(user, 0, work, isLong),
    });
    this.sharedDrives = new SharedDrives({
      ...{ database, clock: parts.clock, members: this.members },
      withDriveLock: (user, work) => this.withDriveLock(user, 0, work),
    });
  }

  /**
   * Runs the work in a new transaction that locks the drive, so that no other transaction changes it. The lock
   * is the transaction's first write. In a shared drive, the role of the account is checked again, so nothing
   * that a member has begun is committed after the member was removed. The lock also charges the files and
   * directories that the work will add (0 only locks the drive). Must not be called inside a transaction.
   *
   * A transaction that also locks an account locks the drive first.
   *
   * Calls for the same drive wait for each other here, not in the database: there, each waiting call would
   * occupy a connection of the pool. The next call may start as soon as the work is done, before the commit:
   * its first write waits for the commit.
   *
   * @param isLong whether the work may change hundreds of entries, as for `Database.transactBySize`
   * @throws Failure `over-limit` if the bytes exceed the quota, or if there are too many entries; `not-found`
   *   if there is no such drive, or the account is not a member; `forbidden` if its role is too low
   */
  withDriveLock<T>(
    user: DriveUser,
    usage: 0 | Usage,
    work: (tx: Tx) => Promise<T>,
    isLong?: (tx: Tx) => Promise<boolean>,
  ): Promise<T> {
    return this.#lockDuring(user, usage, work, (run) =>
      isLong === undefined ? this.#database.transact(run) : this.#database.transactBySize(isLong, run),
    );
  }

  /**
   * Like {@link withDriveLock} for two different drives, which may be anyone's: the role is checked in both,
   * and a personal drive must be the account's own. Nothing is charged. The drives are locked in the order of
   * their ids, so two such calls cannot wait for each other.
   *
   * @throws Failure `not-found` if a drive does not exist or is not one of the account's; `forbidden` if its
   *   role is too low
   */
  withTwoDriveLocks<T>(
    users: readonly [DriveUser, DriveUser],
    work: (tx: Tx) => Promise<T>,
    isLong: (tx: Tx) => Promise<boolean>,
  ): Promise<T> {
    const driveIds = users.map(({ driveId }) => driveId).sort((one, other) => one - other);
    return this.#lockForBoth(users, driveIds, work, isLong);
  }

  /**
   * Like {@link withDriveLock} for a copy from one drive into another. Only the target is locked: otherwise, a
   * VIEWER who copies a large tree could make everyone wait who changes the source. So the source may change
   * during the work. The role there is checked last, and then cannot change before the commit. So a removal
   * never waits for the copy, and a copy whose account was removed fails.
   *
   * @throws Failure as {@link withTwoDriveLocks}
   */
  withTargetLock<T>(
    { from, to }: { readonly from: DriveUser; readonly to: DriveUser },
    work: (tx: Tx) => Promise<T>,
    isLong: (tx: Tx) => Promise<boolean>,
  ): Promise<T> {
    const workAndCheck = async (tx: Tx) => {
      const result = await work(tx);
      await holdRole(tx, from);
      return result;
    };
    return this.#lockForBoth([from, to], [to.driveId], workAndCheck, isLong);
  }

  /**
   * Runs the work in a new transaction that checks the role of the account, but does not lock the drive. So it
   * does not wait for others who change the drive, and a removal of the account waits for it. For short work
   * that changes neither usage nor entries, and records no events.
   *
   * @throws Failure `not-found` if the drive is not one of the account's; `forbidden` if its role is too low
   */
  withRole<T>(user: DriveUser, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#database.transact(async (tx) => {
      await holdRole(tx, user);
      return await work(tx);
    });
  }

  /** The role of an account in a shared drive. Undefined if it is not a member, or the drive is deleted. */
  findRole(member: AccountInDrive, db: Db = this.#database.db): Promise<DriveRole | undefined> {
    return findRole(db, member);
  }

  /**
   * The personal drive of an account, and the shared drives of which it is a member: at most the first 1,000,
   * by their ids.
   */
  async listIdsOf(account: AccountInDrive): Promise<readonly number[]> {
    const shared = await findSharedDrives(this.#database.db, account.accountId, MAX_SHARED_DRIVES_OF_ACCOUNT);
    return [account.driveId, ...shared];
  }

  #lockDuring<T>(
    user: DriveUser,
    usage: 0 | Usage,
    work: (tx: Tx) => Promise<T>,
    transact: (run: (tx: Tx) => Promise<T>) => Promise<T>,
  ): Promise<T> {
    const { driveId } = user;
    const lock = async (tx: Tx) => {
      const kind = await (usage === 0 ? lockDrive(tx, driveId) : this.usage.charge(tx, driveId, usage));
      if (kind === 'SHARED') await checkUser(tx, user);
    };
    return this.#acquireDuring([driveId], lock, work, transact);
  }

  /**
   * Locks one or both of two drives, and checks the role in both.
   * @param driveIds which of them to lock, in ascending order
   */
  async #lockForBoth<T>(
    users: readonly [DriveUser, DriveUser],
    driveIds: readonly number[],
    work: (tx: Tx) => Promise<T>,
    isLong: (tx: Tx) => Promise<boolean>,
  ): Promise<T> {
    if (users[0].driveId === users[1].driveId) throw new Error('These must be two drives.');
    // Also checked before the locks, so no one waits for the drives of others.
    for (const user of users) await checkUser(this.#database.db, user);
    const lock = async (tx: Tx) => {
      for (const id of driveIds) await lockDrive(tx, id);
      for (const user of users) await checkUser(tx, user);
    };
    return await this.#acquireDuring(driveIds, lock, work, (run) =>
      this.#database.transactBySize(isLong, run),
    );
  }

  /** @param driveIds in ascending order, so that callers cannot wait for each other */
  async #acquireDuring<T>(
    driveIds: readonly number[],
    lock: (tx: Tx) => Promise<void>,
    work: (tx: Tx) => Promise<T>,
    transact: (run: (tx: Tx) => Promise<T>) => Promise<T>,
  ): Promise<T> {
    const acquired: (() => void)[] = [];
    const release = () => {
      for (const releaseOne of acquired) releaseOne();
    };
    const lockAndWork = async (tx: Tx) => {
      await lock(tx);
      const result = await work(tx);
      release();
      return result;
    };
    try {
      for (const driveId of driveIds) acquired.push(await this.#mutex.acquire(driveId));
      return await transact(lockAndWork);
    } finally {
      release();
    }
  }
}
