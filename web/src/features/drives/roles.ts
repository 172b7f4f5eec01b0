import type { DriveRecord } from '../../../../client/src/client.ts';

export type Role = DriveRecord['role'];

/** The roles in a shared drive, from the lowest up. */
export const ROLES: readonly Role[] = ['VIEWER', 'EDITOR', 'MANAGER'];
