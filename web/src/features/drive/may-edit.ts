import type { EntryRecord } from '../../../../client/src/client.ts';
import type { DriveId } from '../../api/in-drive.ts';
import { driveOf } from '../entries/drive-of.ts';
import type { Chosen, EntrySource } from '../entries/entry-source.ts';

interface MayEditParts {
  readonly source: Pick<EntrySource<EntryRecord>, 'loaded' | 'total'>;
  /** The drive of the page. */
  readonly drive: DriveId;
  /** Whether the list shows entries of several drives. */
  readonly isAcrossDrives: boolean;
  readonly canEdit: (drive: DriveId) => boolean;
}

/** Whether the user may change every chosen entry. Each entry's drive decides. */
export function mayEdit(
  { only, has }: Pick<Chosen<EntryRecord>, 'only' | 'has'>,
  { source, drive, isAcrossDrives, canEdit }: MayEditParts,
): boolean {
  if (only !== undefined) return canEdit(driveOf(only));
  if (!isAcrossDrives) return canEdit(drive);
  return source.loaded(0, source.total - 1).every(({ entry }) => !has(entry.id) || canEdit(driveOf(entry)));
}
