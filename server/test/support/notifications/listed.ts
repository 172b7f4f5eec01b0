import type { NotificationData, NotificationKind } from '../../../src/base/domain/notifications.ts';
import type { NotificationRecord } from '../../../src/notifications/contract.ts';
import type { Listing, Person } from '../app/person.ts';

export const NOTIFICATIONS = '/api/v2/notifications';
export const SETTINGS = '/api/user/notification-settings';

type Page = Listing<NotificationRecord> & { readonly unread: number };

/** One page of what the person was told, the newest first. */
export function listNotifications(person: Person, query = ''): Promise<Page> {
  return person.ask<Page>('GET', `${NOTIFICATIONS}${query}`);
}

/** What the person was told about one kind of event, the newest first. */
export async function dataOf<K extends NotificationKind>(
  person: Person,
  kind: K,
): Promise<readonly NotificationData[K][]> {
  const { items } = await listNotifications(person, '?size=1000');
  const ofKind = items.filter((item) => item.kind === kind);
  return ofKind.map(({ data }) => data as NotificationData[K]);
}

/** Marks everything as read. */
export async function readAll(person: Person): Promise<void> {
  const [newest] = (await listNotifications(person, '?size=1')).items;
  if (newest !== undefined) {
    await person.ask('POST', `${NOTIFICATIONS}/read`, { body: { until: newest.id } });
  }
}
