import { Failure } from '../failure.ts';

/** A personal drive belongs to one account, a shared drive to its members. */
export const DRIVE_KINDS = ['PERSONAL', 'SHARED'] as const;

export type DriveKind = (typeof DRIVE_KINDS)[number];

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

/** Also the answer for a drive of others, so no one learns which drives exist. */
export function noDrive(): Failure {
  return new Failure('not-found', 'There is no such drive.');
}

/** An account, and a drive that it uses. */
export interface AccountInDrive {
  readonly accountId: number;
  readonly driveId: number;
}

/** An account, and some drives that it uses or has used. */
export interface AccountInDrives {
  readonly accountId: number;
  readonly driveIds: readonly number[];
}
