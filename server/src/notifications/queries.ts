import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '../base/domain/notifications.ts';
import { offsetOf, type PageRequest } from '../base/page.ts';
import type { Db, Tx } from '../database/database.ts';
import type { Flag } from '../database/flag.ts';

/** Someone who may be told something. */
export interface Recipient {
  readonly accountId: number;
  /** The e-mail address, if it is verified; null otherwise. */
  readonly verifiedEmail: string | null;
  /** The language that the account prefers (BCP 47), if any. */
  readonly language: string | null;
  /** What the account has chosen for a kind, if anything. There is a row for each kind that it has chosen. */
  readonly kind: NotificationKind | null;
  readonly app: Flag | null;
  readonly mail: Flag | null;
}

/** Those of the accounts that can be told something, with their settings of these kinds. */
export async function findRecipients(
  tx: Tx,
  accountIds: readonly number[],
  kinds: readonly NotificationKind[],
): Promise<readonly Recipient[]> {
  return tx
    .selectFrom('account')
    .leftJoin('notification_setting as setting', (join) =>
      join.onRef('setting.account_id', '=', 'account.id').on('setting.kind', 'in', kinds),
    )
    .select([
      'account.id as accountId',
      sql<string | null>`case when account.email_verified_at is not null then account.email end`.as(
        'verifiedEmail',
      ),
      'account.preferred_language as language',
      'setting.kind',
      'setting.app',
      'setting.mail',
    ])
    .where('account.id', 'in', accountIds)
    .where('account.banned', '=', 0)
    .where('account.deleting_at', 'is', null)
    .execute();
}

/** A notification that an account gets. */
export interface NewNotification {
  readonly accountId: number;
  readonly kind: NotificationKind;
  /** A JSON object. */
  readonly data: string;
}

/** @returns the ids, in the order of the notifications */
export async function insertNotifications(
  tx: Tx,
  notifications: readonly NewNotification[],
  now: Instant,
): Promise<readonly number[]> {
  const rows = await tx
    .insertInto('notification')
    .values(
      notifications.map(({ accountId, kind, data }) => ({
        account_id: accountId,
        kind,
        data,
        created_at: now,
      })),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

/** The unread notifications of one kind that the accounts got since a time, the newest first. */
export async function findUnreadSince(
  tx: Tx,
  accountIds: readonly number[],
  { kind, since }: { readonly kind: NotificationKind; readonly since: Instant },
): Promise<readonly { readonly id: number; readonly accountId: number; readonly data: string }[]> {
  return tx
    .selectFrom('notification')
    .select(['id', 'account_id as accountId', 'data'])
    .where('account_id', 'in', accountIds)
    .where('read_at', 'is', null)
    .where('kind', '=', kind)
    .where('created_at', '>', since)
    .orderBy('id', 'desc')
    .execute();
}

/** Returns false if the notification was read meanwhile. */
export async function updateUnread(tx: Tx, id: number, data: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('notification')
    .set({ data })
    .where('id', '=', id)
    .where('read_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Notifications about security are counted apart, so that others cannot push them out of the list. */
const IS_ABOUT_SECURITY = sql<Flag>`case when kind = 'SECURITY' then 1 else 0 end`;

/**
 * Deletes the oldest notifications of those of the accounts that have more than `above`: all but `kept`.
 * Those about security have the same limits for themselves.
 */
export async function deleteSurplus(
  tx: Tx,
  accountIds: readonly number[],
  { above, kept }: { readonly above: number; readonly kept: number },
): Promise<void> {
  const nth = (offset: number, isAboutSecurity: Flag) => sql`(
    select newest.id from notification as newest
    where newest.account_id = account.id and ${IS_ABOUT_SECURITY} = ${sql.lit(isAboutSecurity)}
    order by newest.id desc limit 1 offset ${offset}
  )`;
  const surplus = (isAboutSecurity: Flag) => sql`
    select account.id as account_id, ${sql.lit(isAboutSecurity)} as is_about_security,
      case when ${nth(above, isAboutSecurity)} is not null then ${nth(kept, isAboutSecurity)} end as last_id
    from account where account.id in (${sql.join(accountIds)})`;
  await sql`
    delete from notification where id in (
      select old.id from notification as old
      join (${surplus(0)} union all ${surplus(1)}) as surplus
        on surplus.account_id = old.account_id and old.id <= surplus.last_id
      where ${IS_ABOUT_SECURITY} = surplus.is_about_security
    )`.execute(tx);
}

/** Accounts with more notifications than `kept`. Reads all notifications. */
export async function findCrowded(db: Db, kept: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('notification')
    .select('account_id as accountId')
    .groupBy('account_id')
    .having(sql`count(*)`, '>', kept)
    .execute();
  return rows.map(({ accountId }) => accountId);
}

/** Deletes notifications from before a time. @returns how many there were */
export async function deleteNotificationsUntil(tx: Tx, until: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('notification')
    .where('id', 'in', (old) =>
      old
        .selectFrom('notification')
        .select('id')
        .where('created_at', '<=', until)
        .orderBy('created_at')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export interface StoredNotification {
  readonly id: number;
  readonly kind: NotificationKind;
  readonly createdAt: Instant;
  readonly readAt: Instant | null;
  /** A JSON object. */
  readonly data: string;
}

// A newer version may have stored other kinds, which no schema of this version allows. They are left out.

/** One page of the account's notifications, the newest first. */
export function findNotifications(
  db: Db,
  accountId: number,
  page: PageRequest,
  isUnread: boolean,
): Promise<readonly StoredNotification[]> {
  return db
    .selectFrom('notification')
    .select(['id', 'kind', 'created_at as createdAt', 'read_at as readAt', 'data'])
    .where('account_id', '=', accountId)
    .where('kind', 'in', NOTIFICATION_KINDS)
    .$if(isUnread, (all) => all.where('read_at', 'is', null))
    .orderBy('id', 'desc')
    .limit(page.size)
    .offset(offsetOf(page))
    .execute();
}

/** An account has at most a few thousand. */
export async function countNotifications(
  db: Db,
  accountId: number,
): Promise<{ readonly total: number; readonly unread: number }> {
  return db
    .selectFrom('notification')
    .select([
      sql<number>`count(*)`.as('total'),
      // `count` leaves out null.
      sql<number>`count(case when read_at is null then 1 end)`.as('unread'),
    ])
    .where('account_id', '=', accountId)
    .where('kind', 'in', NOTIFICATION_KINDS)
    .executeTakeFirstOrThrow();
}

export async function countUnread(db: Db, accountId: number): Promise<number> {
  const { unread } = await db
    .selectFrom('notification')
    .select(sql<number>`count(*)`.as('unread'))
    .where('account_id', '=', accountId)
    .where('kind', 'in', NOTIFICATION_KINDS)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow();
  return unread;
}

/** Marks the account's unread notifications with these ids, and those up to an id, as read. */
export async function markRead(
  tx: Tx,
  accountId: number,
  { ids, until, now }: { ids: readonly number[]; until: number; now: Instant },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('notification')
    .set({ read_at: now })
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null)
    .where((where) =>
      where.or([where('id', '<=', until), ...(ids.length === 0 ? [] : [where('id', 'in', ids)])]),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export interface StoredSetting {
  readonly kind: NotificationKind;
  readonly app: Flag;
  readonly mail: Flag;
}

export function findSettings(db: Db, accountId: number): Promise<readonly StoredSetting[]> {
  return db
    .selectFrom('notification_setting')
    .select(['kind', 'app', 'mail'])
    .where('account_id', '=', accountId)
    .execute();
}

export async function putSettings(
  tx: Tx,
  accountId: number,
  settings: readonly StoredSetting[],
): Promise<void> {
  await tx
    .insertInto('notification_setting')
    .values(settings.map((setting) => ({ account_id: accountId, ...setting })))
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'kind']).doUpdateSet((row) => ({
        app: row.ref('excluded.app'),
        mail: row.ref('excluded.mail'),
      })),
    )
    .execute();
}
