import type { AdminUser } from '../../../api/contract.ts';

type Role = AdminUser['role'];
type Somebody = Pick<AdminUser, 'id' | 'role'>;

/**
 * Which actions to offer for an account. The service enforces the rules; this avoids offering what it would
 * refuse.
 */
export interface Rights {
  readonly limits: boolean;
  readonly role: boolean;
  readonly status: boolean;
  readonly password: boolean;
}

const NONE: Rights = { limits: false, role: false, status: false, password: false };

/**
 * A moderator cannot change an admin. Nobody can change their own role or ban themselves: so the last admin
 * stays, because only another admin can demote one. The own password is changed in the profile.
 */
export function rightsOver(actor: Somebody, target: Somebody): Rights {
  if (target.role === 'ADMIN' && actor.role !== 'ADMIN') return NONE;
  const isOther = actor.id !== target.id;
  return { limits: true, role: isOther, status: isOther, password: isOther };
}

/** Whether the caller may grant that role. */
export function mayGrant(actor: Somebody, role: Role): boolean {
  return role !== 'ADMIN' || actor.role === 'ADMIN';
}
