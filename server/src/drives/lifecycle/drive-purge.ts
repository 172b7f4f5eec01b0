import { type Clock, DAY, type Instant } from '../../base/clock.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { DriveUser } from '../members/member-check.ts';
import { deleteMembersOf } from '../members/queries.ts';
import { deleteDrive } from '../queries.ts';
import { countEntriesOf, findDeletedDrives, markPurging } from './queries.ts';
import type { SharedDrives } from './shared-drives.ts';

/** How long a deleted drive can be restored. */
export const DRIVE_RETENTION_MS = 10 * DAY;
const BATCH = 500;

/**
 * How often one run deletes the data of a drive, until nothing is left. A request that began before the
 * deletion may add something meanwhile. The next run deletes what is left after that.
 */
const MAX_PASSES = 3;

/** One kind of records that belong to drives. */
export interface DriveRecords {
  /** Deletes those of a drive, in batches. May be interrupted at any point, and repeated. */
  deleteAllOf(driveId: number, signal: AbortSignal): Promise<void>;
}

interface DrivePurgeParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly sharedDrives: SharedDrives;
  /** Like `Drives.withDriveLock` for work that changes many rows. */
  readonly withDriveLock: <T>(user: DriveUser, work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Everything that belongs to a drive, in the order of deletion. */
  readonly records: readonly DriveRecords[];
  readonly deleteRoot: (tx: Tx, driveId: number) => Promise<void>;
}

/**
 * Ends the work in deleted shared drives, and purges those that were deleted long ago. A run that was
 * interrupted is continued by the next one.
 */
export class DrivePurge {
  readonly #parts: DrivePurgeParts;

  constructor(parts: DrivePurgeParts) {
    this.#parts = parts;
  }

  /** @throws AggregateError if some drives could not be purged; the others have been */
  async run(signal: AbortSignal): Promise<void> {
    const before = this.#parts.clock.now() - DRIVE_RETENTION_MS;
    const errors: unknown[] = [];
    for (let after = 0, count = BATCH; count === BATCH; ) {
      const deleted = await findDeletedDrives(this.#parts.database.db, after, BATCH);
      for (const { id, deletedAt } of deleted) {
        signal.throwIfAborted();
        const isDue = deletedAt !== null && deletedAt <= before;
        const work = isDue ? this.#purge(id, before, signal) : this.#parts.sharedDrives.endWork(id, signal);
        await work.catch(async (error) => {
          // Another instance may have purged the drive meanwhile.
          if (await this.#exists(id)) errors.push(error);
        });
        after = id;
      }
      count = deleted.length;
    }
    signal.throwIfAborted();
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} drives could not be purged.`);
  }

  async #purge(driveId: number, before: Instant, signal: AbortSignal): Promise<void> {
    const system = { driveId, accountId: null };
    const { withDriveLock, records } = this.#parts;
    if (!(await withDriveLock(system, (tx) => markPurging(tx, driveId, before)))) return;
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      for (const each of records) await each.deleteAllOf(driveId, signal);
      if (await withDriveLock(system, (tx) => this.#deleteIfEmpty(tx, driveId))) return;
    }
  }

  async #deleteIfEmpty(tx: Tx, driveId: number): Promise<boolean> {
    if ((await countEntriesOf(tx, driveId)) !== 0) return false;
    await this.#parts.deleteRoot(tx, driveId);
    await deleteMembersOf(tx, driveId);
    await deleteDrive(tx, driveId);
    return true;
  }

  async #exists(driveId: number): Promise<boolean> {
    return (await countEntriesOf(this.#parts.database.db, driveId)) !== undefined;
  }
}
