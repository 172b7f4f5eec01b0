import type { DriveRecord } from '../../../../client/src/client.ts';
import { useDrives } from './use-drive.ts';

/** Whether the user may create shared drives on this server. False until it is known. */
export function useMayCreateDrives(): boolean {
  const { data: drives = [] } = useDrives();
  return mayCreateDrives(drives) === true;
}

/** Undefined until the drives are loaded. */
export function mayCreateDrives(drives: readonly DriveRecord[]): boolean | undefined {
  return drives.find(({ kind }) => kind === 'PERSONAL')?.mayCreateDrives;
}
