import { type Instant, toTimestamp } from '../../base/clock.ts';
import { childOf, type LogicalPath } from '../../base/text/logical-path.ts';
import type { EntryRecord } from '../contract.ts';

/** A file or directory of a drive, as the database has it. Its path is not part of it: paths are computed. */
export interface Entry {
  readonly id: number;
  readonly ownerId: number;
  /** Null for the root of a drive only, as far as live entries go. */
  readonly parentId: number | null;
  readonly name: string;
  readonly isDirectory: boolean;
  readonly blobId: number | null;
  readonly size: number;
  readonly contentType: string | null;
  /** Direct children of a directory. */
  readonly childCount: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** An entry and the directory that it lies in. */
export interface EntryWithPath {
  readonly entry: Entry;
  readonly parentPath: LogicalPath;
}

/** Who changes a drive: the owner, by one of their clients. */
export interface Actor {
  readonly ownerId: number;
  /** The client's own id, so that it is not told of its own deeds. */
  readonly clientId: string | null;
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
  };
}
