import type { Audit } from '../../audit/audit.ts';
import { Failure } from '../../base/failure.ts';
import { isDeepPage, type Page, type PageRequest } from '../../base/page.ts';
import { childOf } from '../../base/text/names/logical-path.ts';
import type { Database } from '../../database/database.ts';
import { type Drive, type EntryWithPath, systemIn, toPersonalRecord } from '../../drive/drive.ts';
import type { Caller } from '../../http/caller.ts';
import { toOwnedItems } from '../lists/owner-queries.ts';
import type { AdminFile } from './contract.ts';
import { type FileFilter, findDriveOf, findFileIds } from './queries.ts';

interface AdminFilesParts {
  readonly database: Database;
  readonly drive: Drive;
  readonly audit: Audit;
}

/** The files of all drives. */
export class AdminFiles {
  readonly #parts: AdminFilesParts;

  constructor(parts: AdminFilesParts) {
    this.#parts = parts;
  }

  /** Live files, newest first; without directories. */
  async list(filter: FileFilter, page: PageRequest): Promise<Page<AdminFile>> {
    const { db } = this.#parts.database;
    const { ids, total } = await this.#parts.database.readBySize(
      async () => isDeepPage(page),
      (reading) => findFileIds(reading, filter, page),
    );
    const files = await this.#parts.drive.listing.findInAllDrives(ids);
    const items = await toOwnedItems(
      db,
      files,
      ({ entry }) => entry.driveId,
      (file, drive) => ({ ...toPersonalRecord(file), ...drive }),
    );
    return { items, total, page: page.page, size: page.size };
  }

  /**
   * Moves a file, or a directory with everything in it, to the recycle bin of its drive.
   * @throws Failure `not-found`
   */
  async recycle(caller: Caller, id: number): Promise<void> {
    const drive = await findDriveOf(this.#parts.database.db, id);
    if (drive === undefined) throw new Failure('not-found', 'There is no such file or directory.');
    const { driveId, driveName, ownerId } = drive;
    // An administrator needs no role in a shared drive. No client of the drive caused the change, so the event
    // goes to all of them.
    await this.#parts.drive.bin.recycle(systemIn(driveId), id, {
      alongside: async (tx, recycled) => {
        const path = pathOf(recycled);
        const { isDirectory: directory, size } = recycled.entry;
        await this.#parts.audit.record(tx, caller, {
          action: 'DELETE_FILE',
          targetType: 'FILE',
          targetId: id,
          target: path,
          summary:
            driveName === null
              ? `Moved ${path} to the recycle bin of its owner.`
              : `Moved ${path} to the recycle bin of the drive ${driveName}.`,
          details: { ownerId, driveId, path, directory, size },
        });
      },
    });
  }
}

function pathOf({ entry, parentPath }: EntryWithPath): string {
  return childOf(parentPath, entry.name);
}
