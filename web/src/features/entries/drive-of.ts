import type { EntryRecord } from '../../../../client/src/client.ts';
import type { DriveId } from '../../api/in-drive.ts';
import type { DirectoryPlace } from './find-entry.ts';

type Located = Pick<EntryRecord, 'driveId' | 'changedBy'>;

/**
 * The drive of an entry as in the addresses of pages: undefined for the personal drive. Only records of
 * shared drives say who changed the entry.
 */
export function driveOf({ driveId, changedBy }: Located): DriveId {
  return changedBy === undefined ? undefined : driveId;
}

/** The directory of an entry. */
export function placeOf(entry: Located & Pick<EntryRecord, 'parentPath'>): DirectoryPlace {
  return { drive: driveOf(entry), directory: entry.parentPath };
}
