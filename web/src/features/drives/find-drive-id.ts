import type { QueryClient } from '@tanstack/react-query';
import { queryOf } from '../../api/ask.ts';
import type { DriveId } from '../../api/in-drive.ts';
import { KEYS } from '../../api/keys.ts';

/** The id of a drive for requests that must name it. @throws HoldallError */
export async function findDriveId(queryClient: QueryClient, drive: DriveId): Promise<number> {
  if (drive !== undefined) return drive;
  const drives = await queryClient.ensureQueryData(queryOf(KEYS.drives(), 'GET /api/v2/drives'));
  const personal = drives.find(({ kind }) => kind === 'PERSONAL');
  if (personal === undefined) throw new Error('The personal drive is not listed.');
  return personal.id;
}
