import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriveId } from '../../api/in-drive.ts';
import { toDrive, useDrives } from './use-drive.ts';

/** Returns a function that finds the name of a drive for people. */
export function useDriveNames(): (drive: DriveId) => string {
  const { t } = useTranslation();
  const { data: drives } = useDrives();
  return useCallback((drive) => toDrive(drive, drives).name ?? t('nav.drive'), [t, drives]);
}
