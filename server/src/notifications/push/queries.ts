import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { NotificationKind } from '../../base/domain/notifications.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { PushTarget } from './push-endpoint.ts';

/** If another browser exceeds this number, the one that subscribed first gets no more push messages. */
export const MAX_SUBSCRIPTIONS = 20;

/** Who subscribes. */
export interface Subscriber {
  readonly accountId: number;
  readonly sessionId: string;
}

/** How many browsers of the account are subscribed, and whether that of the session is. */
export async function countSubscriptions(
  db: Db,
  { accountId, sessionId }: Subscriber,
): Promise<{ readonly subscriptions: number; readonly ofSession: number }> {
  return db
    .selectFrom('push_subscription')
    .where('account_id', '=', accountId)
    .select([
      sql<number>`count(*)`.as('subscriptions'),
      sql<number>`count(case when session_id = ${sessionId} then 1 end)`.as('ofSession'),
    ])
    .executeTakeFirstOrThrow();
}

/** Whether the session is subscribed with exactly these values. */
export async function isSubscribed(
  db: Db,
  { accountId, sessionId }: Subscriber,
  { endpoint, p256dh, auth }: PushTarget,
): Promise<boolean> {
  const row = await db
    .selectFrom('push_subscription')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('account_id', '=', accountId)
    .where('endpoint', '=', endpoint)
    .where('p256dh', '=', p256dh)
    .where('auth', '=', auth)
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the session, so that it cannot end before the transaction does. Returns whether it exists. */
export async function lockSession(tx: Tx, { accountId, sessionId }: Subscriber): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('session')
    .set((session) => ({ last_used_at: session.ref('last_used_at') }))
    .where('id', '=', sessionId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Inserts a subscription in place of that of the session, and of another one with the same endpoint. */
export async function replaceSubscription(
  tx: Tx,
  { accountId, sessionId }: Subscriber,
  { endpoint, p256dh, auth }: PushTarget,
  now: Instant,
): Promise<void> {
  // What waits for the former subscription may belong to another account.
  await tx
    .deleteFrom('push_subscription')
    .where((where) => where.or([where('session_id', '=', sessionId), where('endpoint', '=', endpoint)]))
    .execute();
  await tx
    .insertInto('push_subscription')
    .values({ account_id: accountId, session_id: sessionId, endpoint, p256dh, auth, created_at: now })
    .execute();
  await tx
    .deleteFrom('push_subscription')
    .where('account_id', '=', accountId)
    .where('id', 'not in', (query) =>
      query
        .selectFrom('push_subscription as kept')
        .select('kept.id')
        .where('kept.account_id', '=', accountId)
        .orderBy('kept.id', 'desc')
        .limit(MAX_SUBSCRIPTIONS),
    )
    .execute();
}

/** Changes nothing if the account has no such subscription. */
export async function deleteSubscriptionOf(tx: Tx, accountId: number, endpoint: string): Promise<void> {
  await tx
    .deleteFrom('push_subscription')
    .where('endpoint', '=', endpoint)
    .where('account_id', '=', accountId)
    .execute();
}

/** Deletes a subscription. If its browser has subscribed again since, that has another id. */
export async function deleteSubscription(tx: Tx, subscriptionId: number): Promise<void> {
  await tx.deleteFrom('push_subscription').where('id', '=', subscriptionId).execute();
}

/** Queues the notifications for all subscribed browsers of their accounts; returns how many. */
export async function insertDeliveries(
  tx: Tx,
  notificationIds: readonly number[],
  now: Instant,
): Promise<number> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('push_delivery')
    .columns(['subscription_id', 'notification_id', 'next_attempt_at'])
    .expression((query) =>
      query
        .selectFrom('notification')
        .innerJoin('push_subscription as s', 's.account_id', 'notification.account_id')
        .where('notification.id', 'in', notificationIds)
        // PostgreSQL needs the cast, because it does not derive the types of a select's values.
        .select(['s.id', 'notification.id as n', sql<number>`cast(${now} as bigint)`.as('now')])
        // Leaves out subscriptions that are being deleted. Otherwise the foreign key would end the transaction.
        .forKeyShare('s'),
    )
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0n);
}

/** A delivery that is due. */
export interface DueDelivery {
  readonly id: number;
  readonly accountId: number;
}

/**
 * Deliveries that are due, those that have waited longest first.
 * @param busy accounts whose deliveries must wait
 */
export async function findDueDeliveries(
  db: Db,
  { now, busy, limit }: { readonly now: Instant; readonly busy: readonly number[]; readonly limit: number },
): Promise<readonly DueDelivery[]> {
  return db
    .selectFrom('push_delivery as d')
    .innerJoin('push_subscription as s', 's.id', 'd.subscription_id')
    .select(['d.id', 's.account_id as accountId'])
    .where('d.next_attempt_at', '<=', now)
    .$if(busy.length > 0, (query) => query.where('s.account_id', 'not in', busy))
    .orderBy('d.next_attempt_at')
    .orderBy('d.id')
    .limit(limit)
    .execute();
}

/** A delivery whose attempt has begun. */
export interface ClaimedDelivery extends PushTarget {
  readonly id: number;
  readonly subscriptionId: number;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  readonly notification: {
    readonly id: number;
    readonly kind: NotificationKind;
    /** A JSON object. */
    readonly data: string;
    readonly createdAt: Instant;
  };
  /** The language that the recipient prefers (BCP 47), if any. */
  readonly language: string | null;
  /** False if it was read meanwhile, the session has expired, or the account is banned. */
  readonly isWanted: boolean;
}

/**
 * Begins an attempt. Only one of several concurrent callers succeeds.
 * @param nextAttemptAt when the delivery becomes due again if this instance crashes
 * @returns undefined if the delivery is not due
 */
export async function claimDelivery(
  tx: Tx,
  { id, now, nextAttemptAt }: { id: number; now: Instant; nextAttemptAt: Instant },
): Promise<ClaimedDelivery | undefined> {
  const claimed = await tx
    .updateTable('push_delivery')
    .set({ next_attempt_at: nextAttemptAt, attempts: sql`attempts + 1` })
    .where('id', '=', id)
    .where('next_attempt_at', '<=', now)
    .returning(['subscription_id', 'notification_id', 'attempts'])
    .executeTakeFirst();
  if (claimed === undefined) return undefined;
  const { subscription_id: subscriptionId, notification_id: notificationId, attempts: attempt } = claimed;
  const row = await tx
    .selectFrom('push_subscription as s')
    .innerJoin('session', 'session.id', 's.session_id')
    .innerJoin('account', 'account.id', 's.account_id')
    .innerJoin('notification as n', 'n.account_id', 's.account_id')
    .where('s.id', '=', subscriptionId)
    .where('n.id', '=', notificationId)
    .select(['s.endpoint', 's.p256dh', 's.auth', 'account.banned', 'session.refresh_expires_at'])
    .select(['n.kind', 'n.data', 'n.created_at as createdAt', 'n.read_at as readAt'])
    .select('account.preferred_language as language')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { endpoint, p256dh, auth, kind, data, createdAt, language } = row;
  return {
    ...{ id, subscriptionId, attempt, endpoint, p256dh, auth, language },
    notification: { id: notificationId, kind, data, createdAt },
    isWanted: row.banned === 0 && row.refresh_expires_at > now && row.readAt === null,
  };
}

/** Deletes a delivery that has ended. */
export async function deleteDelivery(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('push_delivery').where('id', '=', id).execute();
}

/** Changes nothing if another attempt has begun since. */
export async function scheduleDelivery(
  tx: Tx,
  { id, attempt }: Pick<ClaimedDelivery, 'id' | 'attempt'>,
  nextAttemptAt: Instant,
): Promise<void> {
  await tx
    .updateTable('push_delivery')
    .set({ next_attempt_at: nextAttemptAt })
    .where('id', '=', id)
    .where('attempts', '=', attempt)
    .execute();
}

/** Lets all due deliveries of a subscription wait, because its push service does not work. */
export async function postponeDeliveries(
  tx: Tx,
  subscriptionId: number,
  { now, nextAttemptAt }: { readonly now: Instant; readonly nextAttemptAt: Instant },
): Promise<void> {
  await tx
    .updateTable('push_delivery')
    .set({ next_attempt_at: nextAttemptAt })
    .where('subscription_id', '=', subscriptionId)
    .where('next_attempt_at', '<=', now)
    .execute();
}
