import type { Instant } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import { childOf, type LogicalPath } from '../../base/text/names/logical-path.ts';
import { thumbnailVersionOf } from '../../thumbnails/thumbnails.ts';
import type { EntryRecord } from '../contract.ts';

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
  /** Whether the owner has marked it with a star. */
  readonly isStarred: boolean;
}

/** An entry and the path of its parent directory. */
export interface EntryWithPath {
  readonly entry: Entry;
  readonly parentPath: LogicalPath;
}

/** Who changes a drive: an account with one of its clients, or a visitor with the drive's permission. */
export interface Actor {
  readonly driveId: number;
  /** On whose behalf: for a visitor, the owner of the drive. Null for the system. */
  readonly accountId: number | null;
  /** The id that the client sent, so that event streams do not send the client its own changes. */
  readonly clientId: string | null;
  /** The name that a visitor gave, or null; undefined for anyone else. */
  readonly sender?: string | null;
}

/** The actor of changes that the service makes itself. */
export function systemIn(driveId: number): Actor {
  return { driveId, accountId: null, clientId: null };
}

export function toRecord({ entry, parentPath }: EntryWithPath): EntryRecord {
  return {
    id: entry.id,
    filename: entry.name,
    path: childOf(parentPath, entry.name),
    parentPath,
    size: entry.size,
    contentType: entry.contentType,
    directory: entry.isDirectory,
    createdAt: toTimestamp(entry.createdAt),
    updatedAt: toTimestamp(entry.updatedAt),
    modifiedAt: toTimestamp(entry.modifiedAt),
    starred: entry.isStarred,
    thumbnailVersion: thumbnailVersionOf(entry),
  };
}
