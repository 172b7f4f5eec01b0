import type { AdminUser } from '../../../../../client/src/client.ts';

type Role = AdminUser['role'];
type Actor = Pick<AdminUser, 'id' | 'role'>;
type Target = Pick<AdminUser, 'id' | 'role' | 'deleting'>;

/**
 * Which actions to offer for an account. The service enforces the rules. This only avoids offering what it
 * would reject.
 */
interface Rights {
  readonly limits: boolean;
  readonly role: boolean;
  readonly status: boolean;
  readonly password: boolean;
  readonly deletion: boolean;
}

const NONE: Rights = { limits: false, role: false, status: false, password: false, deletion: false };

/**
 * A moderator cannot change an admin. No one can change their own role, or block or delete themselves. Since
 * only another admin can demote an admin, the last admin stays. Users change their own password in the
 * profile. An account that is being deleted cannot be changed.
 */
export function rightsOver(actor: Actor, target: Target): Rights {
  if (target.deleting) return NONE;
  if (target.role === 'ADMIN' && actor.role !== 'ADMIN') return NONE;
  const isOther = actor.id !== target.id;
  return { limits: true, role: isOther, status: isOther, password: isOther, deletion: isOther };
}

/** Whether the caller may grant that role. */
export function mayGrant(actor: Actor, role: Role): boolean {
  return role !== 'ADMIN' || actor.role === 'ADMIN';
}
