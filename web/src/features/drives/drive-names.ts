import type { QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriveRecord } from '../../../../client/src/client.ts';
import type { DriveId } from '../../api/in-drive.ts';
import { KEYS } from '../../api/keys.ts';
import { hasSession, onSessionChange } from '../../api/session.ts';
import { messages } from '../../messages/i18n.ts';
import { useDrives } from './use-drive.ts';

/** As in the service, which counts code points. */
export const MAX_DRIVE_NAME_LENGTH = 64;

/** The last known names of shared drives, some of which the user may have lost since. */
const knownNames = new Map<number, string>();
onSessionChange(() => {
  if (!hasSession()) knownNames.clear();
});

/** The name of a drive for people. */
export function useDriveName(drive: DriveId): string {
  return useDriveNames()(drive);
}

/** Returns a function that finds the name of a drive for people. */
export function useDriveNames(): (drive: DriveId) => string {
  const { t } = useTranslation();
  const { data: drives } = useDrives();
  return useCallback((drive) => nameOfDrive(drive, drives) ?? t(unnamed(drive)), [t, drives]);
}

/** The name of a drive for people, outside components. */
export function findDriveName(queryClient: QueryClient, drive: DriveId): string {
  return nameOfDrive(drive, queryClient.getQueryData(KEYS.drives())) ?? messages.t(unnamed(drive));
}

/**
 * The present or last known name of a shared drive.
 * @param drives the drives of the user; undefined if they are not loaded yet
 */
export function nameOfDrive(id: DriveId, drives: readonly DriveRecord[] | undefined): string | undefined {
  if (id === undefined) return undefined;
  const name = drives?.find((drive) => drive.id === id)?.name ?? undefined;
  if (name !== undefined) knownNames.set(id, name);
  return name ?? knownNames.get(id);
}

/** The name of the personal drive, and the one for shared drives whose name is unknown. */
function unnamed(drive: DriveId) {
  return drive === undefined ? 'nav.drive' : 'drive.someDrive';
}
