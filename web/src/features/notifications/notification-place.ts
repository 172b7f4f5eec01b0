import type { LinkProps } from '@tanstack/react-router';
import type { DriveId } from '../../api/in-drive.ts';
import { ROOT, toDirectory } from '../../common/names/drive-paths.ts';
import type { FactsOf, NotificationKind, NotificationRecord } from './notification.ts';

/** The parameters of a link. */
type Place = Pick<LinkProps, 'to' | 'params' | 'search' | 'hash'>;

/** Finds the drive as in the addresses of pages: undefined for the personal drive. */
type FindDrive = (id: number) => DriveId;

/** The page to which a notification of each kind leads. */
const PLACES: { readonly [K in NotificationKind]: (facts: FactsOf<K>, find: FindDrive) => Place } = {
  DRIVE_MEMBER: ({ driveId }) => toDirectory(ROOT, { drive: driveId }),
  LINK_FILES: ({ driveId, directoryId }, find) =>
    toDirectory(ROOT, { drive: find(driveId), folder: directoryId }),
  TRANSFER_FETCHED: () => ({ to: '/transfer/{-$code}', params: { code: undefined } }),
  SHARE_ENDED: ({ driveId }, find) => ({ to: '/shared', search: { drive: find(driveId) } }),
  SECURITY: () => ({ to: '/profile/{-$part}', params: { part: 'security' } }),
  DRIVE_FULL: ({ driveId }, find) => toDirectory(ROOT, { drive: find(driveId) }),
  TASK_FAILED: ({ driveId }, find) => ({ to: '/tasks', search: { drive: find(driveId) } }),
  SERVICE_FAULT: () => ({ to: '/admin/{-$part}', params: { part: undefined } }),
};

/** The place that a notification is about. */
export function placeOf({ kind, data }: NotificationRecord, find: FindDrive): Place {
  // A newer service may send kinds that this page does not know.
  if (!Object.hasOwn(PLACES, kind)) return toDirectory(ROOT, { drive: undefined });
  // The record's type says that the facts are those of the kind, which the compiler cannot follow here.
  return (PLACES[kind] as (facts: typeof data, find: FindDrive) => Place)(data, find);
}
