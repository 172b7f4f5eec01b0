import type { Instant } from '../../base/clock.ts';
import type { LogicalPath } from '../../base/text/names/logical-path.ts';
import type { DriveUser } from '../../drives/drives.ts';

/** A file or directory as the database stores it. It has no path: paths are computed from the parents. */
export interface Entry {
  readonly id: number;
  readonly driveId: number;
  /** Among live entries, only the root of a drive has no parent. */
  readonly parentId: number | null;
  readonly name: string;
  readonly isDirectory: boolean;
  readonly blobId: number | null;
  readonly size: number;
  readonly contentType: string | null;
  /** The number of direct children; 0 for a file. */
  readonly childCount: number;
  readonly createdAt: Instant;
  /** When the record was last changed. */
  readonly updatedAt: Instant;
  /** When the content was last modified on the client. For a directory, when it was created. */
  readonly modifiedAt: Instant;
  /**
   * In a personal drive, whether its owner has marked it with a star. In a shared drive, whether a member may
   * have: `EntryRecords` finds the viewer's own stars.
   */
  readonly isStarred: boolean;
  /** The account that last changed content, name or place. Null for the system and for visitors. */
  readonly changedBy: number | null;
}

/** An entry and the path of its parent directory. */
export interface EntryWithPath {
  readonly entry: Entry;
  readonly parentPath: LogicalPath;
}

/** Who changes a drive: an account with one of its clients, or a visitor with the drive's permission. */
export interface Actor extends DriveUser {
  /** The id that the client sent, so that event streams do not send the client its own changes. */
  readonly clientId: string | null;
  /** The name that a visitor gave, or null; undefined for anyone else. */
  readonly sender?: string | null;
}

/** The actor of changes that the service makes itself. */
export function systemIn(driveId: number): Actor {
  return { driveId, accountId: null, clientId: null };
}
