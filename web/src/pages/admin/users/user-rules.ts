import type { AdminUser } from '../../../api/contract.ts';

type Role = AdminUser['role'];
type Somebody = Pick<AdminUser, 'id' | 'role'>;

/** What somebody may do to an account. The service decides; this is for offering nothing that it would refuse. */
export interface Rights {
  readonly limits: boolean;
  readonly role: boolean;
  readonly status: boolean;
  readonly password: boolean;
}

const NONE: Rights = { limits: false, role: false, status: false, password: false };

/**
 * A moderator does nothing to an admin. And nobody takes their own role, or bans themselves: so the last admin stays, since
 * whoever changes another admin is one. One's own password has its place in the profile.
 */
export function rightsOver(actor: Somebody, target: Somebody): Rights {
  if (target.role === 'ADMIN' && actor.role !== 'ADMIN') return NONE;
  const isOther = actor.id !== target.id;
  return { limits: true, role: isOther, status: isOther, password: isOther };
}

/** Whether somebody may make others that. */
export function mayGrant(actor: Somebody, role: Role): boolean {
  return role !== 'ADMIN' || actor.role === 'ADMIN';
}
