import type { Clock } from '../../base/clock.ts';
import { ROOT_PATH } from '../../base/text/names/logical-path.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import { correctUsage, type Drives } from '../../drives/drives.ts';
import type { Directories } from '../entries/directories.ts';
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

/** Deletes everything in the drives of accounts that are being deleted. */
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
  async deleteAllOf(ownerId: number, signal: AbortSignal): Promise<void> {
    await this.#markDrive(ownerId);
    await this.#largePurges.finishAll(signal, ownerId);
    await this.#parts.bin.purgeAll({ ownerId, clientId: null }, signal);
  }

  /** Deletes the root of an empty drive, together with its account. */
  async deleteRoot(tx: Tx, ownerId: number): Promise<void> {
    await deleteDriveRoot(tx, ownerId);
  }

  /** Turns the whole drive, whatever its size, into one purged tree. The account gets a new, empty drive. */
  async #markDrive(ownerId: number): Promise<void> {
    const root = await getDirectory(this.#parts.database.db, ownerId, ROOT_PATH);
    const mark = async (tx: Tx) => {
      const { childCount } = await getDirectory(tx, ownerId, ROOT_PATH);
      if (childCount === 0) return;
      await moveToBin(tx, root, ROOT_PATH, this.#parts.clock.now());
      const { bytes, files } = await sumBinTree(tx, root.id);
      await markPurged(tx, root.id);
      // The root of a drive does not count, but the root of a purged tree does.
      await correctUsage(tx, ownerId, {
        bytes: -bytes,
        files: -files,
        entries: 1,
        keptBytes: bytes,
      });
      await this.#parts.directories.createDrive(tx, ownerId, []);
    };
    await this.#parts.drives.withDriveLock(ownerId, 0, mark, changesManyEntries(root.id));
  }
}
