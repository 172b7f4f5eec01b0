import { toTimestamp } from '../base/dates.ts';
import { toPageRequest } from '../base/page.ts';
import { callerOf } from '../http/caller.ts';
import { mapPage } from '../http/fields.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import {
  getNotificationSettings,
  listNotifications,
  type NotificationRecord,
  putNotificationSettings,
  readNotifications,
} from './contract.ts';
import type { ListedNotification, Notifications } from './notifications.ts';

/** What the caller was told, and how they want to be told. */
export function notificationRoutes(server: Server, notifications: Notifications): void {
  mount(server, listNotifications, async (request) => {
    const { unread = false, ...page } = request.query;
    const { accountId } = callerOf(request);
    const found = await notifications.list(accountId, toPageRequest(page), { unread });
    return { ...mapPage(found, toRecord), unread: found.unread };
  });

  mount(server, readNotifications, async (request) => ({
    unread: await notifications.markRead(callerOf(request).accountId, request.body),
  }));

  mount(server, getNotificationSettings, (request) => notifications.settingsOf(callerOf(request).accountId));

  mount(server, putNotificationSettings, (request) =>
    notifications.putSettings(callerOf(request).accountId, request.body),
  );
}

function toRecord({ createdAt, readAt, ...notification }: ListedNotification): NotificationRecord {
  const times = { at: toTimestamp(createdAt), readAt: readAt === null ? null : toTimestamp(readAt) };
  // `contract.ts` checks that its records are those of the domain.
  return { ...notification, ...times } as NotificationRecord;
}
