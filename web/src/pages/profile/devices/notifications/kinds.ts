import type { User } from '../../../../../../client/src/client.ts';
import type { NotificationKind } from '../../../../features/notifications/notification.ts';

/** The kinds in the order of the settings, and whether only administrators get them. A new kind needs a row. */
const KINDS = {
  DRIVE_MEMBER: 'everyone',
  LINK_FILES: 'everyone',
  TRANSFER_FETCHED: 'everyone',
  SHARE_ENDED: 'everyone',
  DRIVE_FULL: 'everyone',
  TASK_FAILED: 'everyone',
  SECURITY: 'everyone',
  SERVICE_FAULT: 'admins',
} as const satisfies Readonly<Record<NotificationKind, 'everyone' | 'admins'>>;

/** The kinds of notifications that users with the role get. */
export function kindsFor(role: User['role']): readonly NotificationKind[] {
  // The keys are the kinds.
  const all = Object.keys(KINDS) as NotificationKind[];
  return all.filter((kind) => KINDS[kind] === 'everyone' || role === 'ADMIN');
}
