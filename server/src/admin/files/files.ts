import { Failure } from '../../base/failure.ts';
import type { Page, PageRequest } from '../../base/page.ts';
import { childOf } from '../../base/text/logical-path.ts';
import type { Database } from '../../database/database.ts';
import { type Drive, type EntryWithPath, toRecord } from '../../drive/drive.ts';
import type { Caller } from '../../http/caller.ts';
import type { Acts } from '../acts.ts';
import type { AdminFile } from '../contract.ts';
import { findOwners } from '../users/queries.ts';
import { type FileFilter, findFileIds, findOwnerOf } from './queries.ts';

/** The files of all drives. */
export class AdminFiles {
  readonly #database: Database;
  readonly #drive: Drive;
  readonly #acts: Acts;

  constructor(parts: { database: Database; drive: Drive; acts: Acts }) {
    this.#database = parts.database;
    this.#drive = parts.drive;
    this.#acts = parts.acts;
  }

  /** Files that are in a drive, the newest first; without the directories. */
  async list(filter: FileFilter, page: PageRequest): Promise<Page<AdminFile>> {
    const { db } = this.#database;
    const { ids, total } = await findFileIds(db, filter, page);
    const files = await this.#drive.listing.findInAllDrives(ids);
    const owners = await findOwners(
      db,
      files.map(({ entry }) => entry.ownerId),
    );
    const items = files.flatMap((file) => {
      const owner = owners.get(file.entry.ownerId);
      if (owner === undefined) return [];
      const { id: ownerId, username: ownerUsername, email: ownerEmail } = owner;
      return [{ ...toRecord(file), ownerId, ownerUsername, ownerEmail }];
    });
    return { items, total, page: page.page, size: page.size };
  }

  /** Moves a file, or a directory with everything in it, to its owner's recycle bin. @throws Failure `not-found` */
  async recycle(caller: Caller, id: number): Promise<void> {
    const ownerId = await findOwnerOf(this.#database.db, id);
    if (ownerId === undefined) throw new Failure('not-found', 'There is no such file or directory.');
    // No client of the owner did it, so all of them are told.
    await this.#drive.bin.recycle({ ownerId, clientId: null }, id, async (tx, recycled) => {
      const path = pathOf(recycled);
      const { isDirectory: directory, size } = recycled.entry;
      await this.#acts.record(tx, caller, {
        action: 'DELETE_FILE',
        targetType: 'FILE',
        targetId: id,
        target: path,
        summary: `Moved ${path} to the recycle bin of its owner.`,
        details: { ownerId, path, directory, size },
      });
    });
  }
}

function pathOf({ entry, parentPath }: EntryWithPath): string {
  return childOf(parentPath, entry.name);
}
