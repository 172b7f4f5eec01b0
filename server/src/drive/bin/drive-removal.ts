import type { Clock } from '../../base/clock.ts';
import { ROOT_PATH } from '../../base/text/names/logical-path.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import { correctUsage, type Drives } from '../../drives/drives.ts';
import type { Directories } from '../entries/directories.ts';
import { systemIn } from '../entries/entry.ts';
import { getDirectory } from '../entries/live-entries.ts';
import { changesManyEntries } from '../entries/long-work.ts';
import { LargePurges } from './large-purges.ts';
import { deleteDriveRoot, markPurged } from './purge-queries.ts';
import { moveToBin, sumBinTree } from './queries.ts';
import type { RecycleBin } from './recycle-bin.ts';

interface DriveRemovalParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly blobs: Blobs;
  readonly directories: Directories;
  readonly bin: RecycleBin;
  readonly clock: Clock;
}

/** Deletes everything in drives that are being deleted. */
export class DriveRemoval {
  readonly #parts: DriveRemovalParts;
  readonly #largePurges: LargePurges;

  constructor(parts: DriveRemovalParts) {
    this.#parts = parts;
    this.#largePurges = new LargePurges(parts);
  }

  /**
   * Deletes all files and directories, live ones and those in the recycle bin. May be interrupted and
   * repeated.
   */
  async deleteAllOf(driveId: number, signal: AbortSignal): Promise<void> {
    await this.#markDrive(driveId);
    await this.#largePurges.finishAll(signal, driveId);
    await this.#parts.bin.purgeAll(systemIn(driveId), signal);
  }

  /** Deletes the root of an empty drive, together with the drive. */
  async deleteRoot(tx: Tx, driveId: number): Promise<void> {
    await deleteDriveRoot(tx, driveId);
  }

  /** Turns the whole drive, whatever its size, into one purged tree. The drive gets a new, empty root. */
  async #markDrive(driveId: number): Promise<void> {
    const root = await getDirectory(this.#parts.database.db, driveId, ROOT_PATH);
    const mark = async (tx: Tx) => {
      const { childCount } = await getDirectory(tx, driveId, ROOT_PATH);
      if (childCount === 0) return;
      await moveToBin(tx, root, ROOT_PATH, { accountId: null, now: this.#parts.clock.now() });
      const { bytes, files } = await sumBinTree(tx, root.id);
      await markPurged(tx, root.id);
      // The root of a drive does not count, but the root of a purged tree does.
      await correctUsage(tx, driveId, {
        bytes: -bytes,
        files: -files,
        entries: 1,
        keptBytes: bytes,
      });
      await this.#parts.directories.createRoot(tx, driveId, []);
    };
    await this.#parts.drives.withDriveLock(
      { driveId, accountId: null },
      0,
      mark,
      changesManyEntries(root.id),
    );
  }
}
