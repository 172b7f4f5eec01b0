import { Failure } from '../failure.ts';

/** A personal drive belongs to one account, a shared drive to its members. */
export type DriveKind = 'PERSONAL' | 'SHARED';

/** What a member of a shared drive may do. Each role may do what those before it may. */
export const DRIVE_ROLES = ['VIEWER', 'EDITOR', 'MANAGER'] as const;

export type DriveRole = (typeof DRIVE_ROLES)[number];

/** Whether a role includes what another one may do. */
export function includesRole(role: DriveRole, needed: DriveRole): boolean {
  return DRIVE_ROLES.indexOf(role) >= DRIVE_ROLES.indexOf(needed);
}

/** @throws Failure `forbidden` if the role in a drive is lower than the one that is needed */
export function checkRole(role: DriveRole, needed: DriveRole): void {
  if (includesRole(role, needed)) return;
  throw new Failure('forbidden', 'Your role in this drive does not allow this.');
}

/** An account, and a drive that it uses. */
export interface AccountInDrive {
  readonly accountId: number;
  readonly driveId: number;
}
