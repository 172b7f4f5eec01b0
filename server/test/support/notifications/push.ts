import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';
import type { PushBrowser } from './push-service.ts';

/** Turns push messages on in a browser of the person. */
export async function subscribe(person: Person, browser: PushBrowser): Promise<void> {
  await person.ask('PUT', '/api/user/push', { body: browser.subscription });
}

/** Tells the person that a transfer was fetched. Nothing is sent yet. */
export function tell({ app }: Holdall, { id }: Pick<Person, 'id'>, fileName = 'notes.txt'): Promise<void> {
  const notification = { kind: 'TRANSFER_FETCHED', data: { files: 1, fileName } } as const;
  return app.database.transact((tx) => app.notifications.notify(tx, [id], notification));
}

/** What waits to be sent to a browser, the oldest first. */
export function findDeliveries({ app }: Holdall, { endpoint }: PushBrowser) {
  return app.database.db
    .selectFrom('push_delivery')
    .innerJoin('push_subscription', 'push_subscription.id', 'push_delivery.subscription_id')
    .where('endpoint', '=', endpoint)
    .select(['push_delivery.id', 'attempts', 'next_attempt_at as nextAttemptAt', 'notification_id'])
    .orderBy('push_delivery.id')
    .execute();
}
