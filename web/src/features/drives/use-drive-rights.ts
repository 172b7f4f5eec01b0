import { useCallback } from 'react';
import type { DriveId } from '../../api/in-drive.ts';
import { toDrive, useDrives } from './use-drive.ts';

/** Returns a function that tells whether the user may change the content of a drive. */
export function useCanEdit(): (drive: DriveId) => boolean {
  const { data: drives } = useDrives();
  return useCallback((drive) => toDrive(drive, drives).can('EDIT'), [drives]);
}
