import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { createContext, useCallback, useContext } from 'react';
import type { DriveRecord } from '../../../../client/src/client.ts';
import { queryOf } from '../../api/ask.ts';
import { type DriveId, type DriveKey, driveKey } from '../../api/in-drive.ts';
import { KEYS } from '../../api/keys.ts';

export type Role = DriveRecord['role'];

/** The roles in a shared drive, from the lowest up. */
export const ROLES: readonly Role[] = ['VIEWER', 'EDITOR', 'MANAGER'];

/** What a role may allow: changes of content, or of the drive itself, its members and its bin. */
export type DriveRight = 'EDIT' | 'MANAGE';

/** The drive that the page shows. */
export interface Drive {
  /** For `ask`; undefined for the personal drive. */
  readonly id: DriveId;
  /** For query keys. */
  readonly key: DriveKey;
  /** Undefined for the personal drive. */
  readonly name: string | undefined;
  /** Undefined while it is unknown, and for a drive that the user has lost. */
  readonly role: Role | undefined;
  readonly can: (right: DriveRight) => boolean;
}

const RIGHTS = {
  VIEWER: [],
  EDITOR: ['EDIT'],
  MANAGER: ['EDIT', 'MANAGE'],
} as const satisfies Record<Role, readonly DriveRight[]>;

/** The drives of the user: the personal one first. `features/live` refetches them after `DRIVES_CHANGED`. */
export function useDrives() {
  return useQuery({ ...queryOf(KEYS.drives(), 'GET /api/v2/drives'), refetchOnWindowFocus: true });
}

/**
 * The drive of one entry, for its dialogs and its preview: a search also finds entries of other drives. Null:
 * the drive in the address.
 */
export const DriveContext = createContext<DriveId | null>(null);

/** The id of the drive that the page, or this part of it, is about. */
export function useDriveId(): DriveId {
  const drive: unknown = useSearch({ strict: false, select: (search) => search.drive });
  const given = useContext(DriveContext);
  if (given !== null) return given;
  return typeof drive === 'number' ? drive : undefined;
}

/** The drive of the page, or of this part of it, and what the user may do there. */
export function useDrive(): Drive {
  return toDrive(useDriveId(), useDrives().data);
}

/** @param drives the drives of the user; undefined if they are not loaded yet */
export function toDrive(id: DriveId, drives: readonly DriveRecord[] | undefined): Drive {
  const record = id === undefined ? undefined : drives?.find((drive) => drive.id === id);
  const role = id === undefined ? 'MANAGER' : record?.role;
  const rights: readonly DriveRight[] = role === undefined ? [] : RIGHTS[role];
  return {
    id,
    key: driveKey(id),
    name: record?.name ?? undefined,
    role,
    can: (right) => rights.includes(right),
  };
}

/** Returns a function that tells whether the user may change the content of a drive. */
export function useCanEdit(): (drive: DriveId) => boolean {
  const { data: drives } = useDrives();
  return useCallback((drive) => toDrive(drive, drives).can('EDIT'), [drives]);
}

/** Whether the user has lost a drive. False while the drives are not loaded. */
export function useIsLost(drive: DriveId): boolean {
  const { data: drives } = useDrives();
  return drives !== undefined && toDrive(drive, drives).role === undefined;
}

/** Whether the user may create shared drives on this server. Undefined until it is known. */
export function useMayCreateDrives(): boolean | undefined {
  const { data: drives } = useDrives();
  return drives?.find(({ kind }) => kind === 'PERSONAL')?.mayCreateDrives;
}
