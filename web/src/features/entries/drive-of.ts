import type { EntryRecord } from '../../../../client/src/client.ts';
import type { DriveId } from '../../api/in-drive.ts';

/**
 * The drive of an entry as in the addresses of pages: undefined for the personal drive. Only records of shared
 * drives say who changed the entry.
 */
export function driveOf({ driveId, changedBy }: Pick<EntryRecord, 'driveId' | 'changedBy'>): DriveId {
  return changedBy === undefined ? undefined : driveId;
}
