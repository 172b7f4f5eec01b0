import { type Instant, MINUTE } from '../base/clock.ts';
import type { Notification, NotificationData } from '../base/domain/notifications.ts';
import type { Tx } from '../database/database.ts';
import { findUnreadSince, type Recipient, updateUnread } from './queries.ts';

/** Someone who changes a role again and again must not cause a notification each time. */
const RECENT_MS = 10 * MINUTE;

/** What one account is told. */
export interface Message {
  readonly recipient: Recipient;
  readonly notification: Notification;
}

type Role = NotificationData['DRIVE_MEMBER'];

/**
 * Writes new roles into recent notifications about the same drive that the recipients have not read.
 * @returns the messages that were written so, and those that are still to be added
 */
export async function updateRoles(
  tx: Tx,
  messages: readonly Message[],
  now: Instant,
): Promise<{ readonly updated: readonly Message[]; readonly added: readonly Message[] }> {
  const roles = messages.filter(({ notification }) => notification.kind === 'DRIVE_MEMBER');
  if (roles.length === 0) return { updated: [], added: messages };
  const accountIds = [...new Set(roles.map(({ recipient }) => recipient.accountId))];
  const recent = await findUnreadSince(tx, accountIds, { kind: 'DRIVE_MEMBER', since: now - RECENT_MS });
  const updated: Message[] = [];
  for (const message of roles) {
    const { accountId } = message.recipient;
    const role = message.notification.data as Role;
    const told = recent
      .filter((each) => each.accountId === accountId)
      .map(({ id, data }) => ({ id, role: JSON.parse(data) as Role }))
      .find(({ role: { driveId } }) => driveId === role.driveId);
    if (told === undefined) continue;
    if (await updateUnread(tx, told.id, JSON.stringify(merge(told.role, role)))) updated.push(message);
  }
  return { updated, added: messages.filter((message) => !updated.includes(message)) };
}

/** Someone who has not read yet that they were added is still told that. */
function merge(before: Role, after: Role): Role {
  if (!before.isNew || after.isNew) return after;
  return { ...after, isNew: true, byName: before.byName };
}
