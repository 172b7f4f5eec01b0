import type { OperationName } from '../../../client/src/requests/operation-types.ts';

/** The id of a drive; undefined for the personal drive of the user. */
export type DriveId = number | undefined;

/** The part of a query key that names the drive. */
export type DriveKey = number | 'personal';

/** The name of a drive in query keys. */
export function driveKey(drive: DriveId): DriveKey {
  return drive ?? 'personal';
}

/** The operations about the content of one drive. */
export type InDriveOperation = Exclude<
  Extract<
    OperationName,
    | `${string} /api/files/${string}`
    | `${string} /api/v2/files/${string}`
    | `${string} /api/v2/downloads`
    | `${string} /api/v2/tasks${string}`
    | 'POST /api/v2/shares'
    | `${string} /api/v2/shares/mine`
    | `${string} /api/v2/shares/{id}`
    | `${string} /api/v2/share-links/${string}`
    | 'POST /api/v2/folder-links'
    | `${string} /api/v2/folder-links/mine`
    | `${string} /api/v2/folder-links/{id}`
  >,
  `${string} /api/files/share-links/{token}${string}`
>;

/** Calls about the content of a drive name the drive, so that none of them means the wrong one. */
export type DriveOf<Name extends OperationName> = [Name] extends [InDriveOperation]
  ? { readonly drive: DriveId }
  : { readonly drive?: DriveId };
