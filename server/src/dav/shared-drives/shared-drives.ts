import type { DriveRole } from '../../base/domain/drives.ts';
import type { Database, Db } from '../../database/database.ts';
import { DavError } from '../dav-error.ts';
import { type EntryTarget, readNameWithId } from '../protocol/href.ts';
import type { DavRequest } from '../protocol/messages.ts';
import { findAddressedDrive } from './queries.ts';

/** A drive of the caller. */
interface OwnDrive {
  readonly id: number;
  readonly role: DriveRole;
}

/** The shared drives of an account, by the names in their addresses. */
export class SharedDrives {
  readonly #database: Database;

  constructor({ database }: { readonly database: Database }) {
    this.#database = database;
  }

  /**
   * The shared drive with this name in its address. `Name (ID)` always names the drive with that id, even if
   * its name alone would do.
   */
  find(accountId: number, driveName: string): Promise<OwnDrive | undefined> {
    return find(this.#database.db, accountId, driveName);
  }

  /** The drive of another address that a request names in a header. Undefined if the caller has none there. */
  async findIdOf(
    db: Db,
    request: Pick<DavRequest, 'actor' | 'personalDriveId' | 'root'>,
    { driveName, root }: EntryTarget,
  ): Promise<number | undefined> {
    const { actor, personalDriveId } = request;
    if (root === request.root) return actor.driveId;
    if (driveName === undefined) return personalDriveId;
    return (await find(db, actor.accountId, driveName))?.id;
  }
}

/** The error for a change of the list of shared drives, or of the root of a drive in it. */
export function fixed(): DavError {
  return new DavError(403, 'Shared drives cannot be created, moved, deleted, locked or written here.');
}

/** No drive has this name. */
const NO_NAME = { name: '', id: 0 };

function find(db: Db, accountId: number, driveName: string): Promise<OwnDrive | undefined> {
  return findAddressedDrive(db, { accountId, driveName, ...(readNameWithId(driveName) ?? NO_NAME) });
}
