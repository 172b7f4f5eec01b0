import type { Clock } from '../base/clock.ts';
import { KeyedMutex } from '../base/concurrency/keyed-mutex.ts';
import type { DriveRole } from '../base/domain/drives.ts';
import type { Ids } from '../base/ids.ts';
import type { Database, Tx } from '../database/database.ts';
import { checkMember, type DriveUser } from './members/members.ts';
import { findRole, findSharedDrives } from './members/queries.ts';
import { type SumAnnouncedBytes, UploadReservations } from './reservations/upload-reservations.ts';
import type { Usage } from './usage/queries.ts';
import { chargeUsage, lockDrive } from './usage/usage.ts';

export { type DriveLimits, deleteDrive, findPersonalDrive, insertPersonalDrive, ownerOf } from './queries.ts';
export type { UploadReservation } from './reservations/upload-reservation.ts';
export { overReserved, type Visit } from './reservations/upload-reservations.ts';
export { findKeptExcess, setLimits } from './usage/queries.ts';
export {
  chargeUsage,
  correctUsage,
  getAllowance,
  getReplacementLimit,
  getUploadLimit,
  overEntries,
  releaseUsage,
  type UploadLimit,
} from './usage/usage.ts';
export type { DriveUser, Usage };

/** The maximum number of shared drives that one search looks through. */
const MAX_LISTED_DRIVES = 500;

interface DrivesParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Sums the bytes that upload sessions have announced. They count like reserved bytes. */
  readonly sumAnnouncedBytes: SumAnnouncedBytes;
}

/**
 * The locks of drives, and the bytes that running uploads reserve in them. The usage and limits of a drive
 * are plain functions: they only need the transaction that has locked it.
 */
export class Drives {
  readonly reservations: UploadReservations;
  readonly #database: Database;
  readonly #mutex = new KeyedMutex<number>();

  constructor({ database, ...parts }: DrivesParts) {
    this.#database = database;
    this.reservations = new UploadReservations({
      ...{ database, ...parts },
      withDriveLock: (user, work) => this.#lockDuring(user, 0, work, (run) => database.transactVolatile(run)),
    });
  }

  /**
   * Runs the work in a new transaction that locks the drive, so that no other transaction changes it.
   * The lock is the transaction's first write. In a shared drive, the role of the account is checked again, so
   * nothing that a member has begun is committed after the member was removed. The lock also charges the files and directories that the work will
   * add (0 only locks the drive). Must not be called inside a transaction.
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

  /** The role of an account in a shared drive. Undefined if it is not a member, or the drive is deleted. */
  findRole(membership: { driveId: number; accountId: number }): Promise<DriveRole | undefined> {
    return findRole(this.#database.db, membership);
  }

  /**
   * The personal drive of an account, and the shared drives of which it is a member: at most the first 500,
   * by their ids.
   */
  async listIdsOf(owner: { accountId: number; driveId: number }): Promise<readonly number[]> {
    const shared = await findSharedDrives(this.#database.db, owner.accountId, MAX_LISTED_DRIVES);
    return [owner.driveId, ...shared];
  }

  async #lockDuring<T>(
    user: DriveUser,
    usage: 0 | Usage,
    work: (tx: Tx) => Promise<T>,
    transact: (run: (tx: Tx) => Promise<T>) => Promise<T>,
  ): Promise<T> {
    const { driveId } = user;
    const lockAndWork = async (tx: Tx) => {
      const kind = await (usage === 0 ? lockDrive(tx, driveId) : chargeUsage(tx, driveId, usage));
      if (kind === 'SHARED') await checkMember(tx, user);
      const result = await work(tx);
      release();
      return result;
    };
    const release = await this.#mutex.acquire(driveId);
    try {
      return await transact(lockAndWork);
    } finally {
      release();
    }
  }
}
