import { type Clock, DAY, type Instant } from '../base/clock.ts';
import {
  isOptionalMail,
  NOTIFICATION_KINDS,
  type Notification,
  type NotificationKind,
} from '../base/domain/notifications.ts';
import { Failure } from '../base/failure.ts';
import type { Page, PageRequest } from '../base/page.ts';
import type { Database, Tx } from '../database/database.ts';
import { toFlag } from '../database/flag.ts';
import { deleteRowsOf } from '../database/owned-rows.ts';
import { publishNotified } from '../events/events.ts';
import type { Mail } from '../mail/mail.ts';
import {
  countNotifications,
  countUnread,
  deleteNotificationsUntil,
  deleteSurplus,
  findCrowded,
  findNotifications,
  findSettings,
  markRead,
  putSettings,
} from './queries.ts';
import { type NotificationSetting, type NotificationSettings, toSettings } from './settings.ts';
import { MAX_KEPT, type NotifiedHook, Telling } from './telling.ts';

export { MAX_KEPT, MAX_RECIPIENTS, type Told } from './telling.ts';

const KEPT_MS = 90 * DAY;

/** A notification in the list of its recipient. */
export type ListedNotification = Notification & {
  readonly id: number;
  readonly createdAt: Instant;
  readonly readAt: Instant | null;
};

interface NotificationsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly mail: Mail;
}

/** Tells the owners of accounts what concerns them: in the app, and by mail. */
export class Notifications {
  readonly #parts: NotificationsParts;
  readonly #telling: Telling;

  constructor(parts: NotificationsParts) {
    this.#parts = parts;
    this.#telling = new Telling(parts);
  }

  /** Calls the hook in every transaction that tells accounts something in the app, once. */
  onNotified(hook: NotifiedHook): void {
    this.#telling.onTold(hook);
  }

  /**
   * Tells accounts something at the end of the caller's transaction, in the ways that each has chosen. Leaves
   * out banned accounts, those that are being deleted, and all but the first {@link MAX_RECIPIENTS}. Long
   * texts are shortened.
   */
  async notify(tx: Tx, accountIds: readonly number[], notification: Notification): Promise<void> {
    this.#telling.collect(tx, accountIds, notification);
  }

  /** The notifications of the account, the newest first. */
  async list(
    accountId: number,
    page: PageRequest,
    { unread: onlyUnread }: { readonly unread: boolean },
  ): Promise<Page<ListedNotification> & { readonly unread: number }> {
    const { database } = this.#parts;
    const found = await database.readDurable((db) => findNotifications(db, accountId, page, onlyUnread));
    const { total, unread } = await countNotifications(database.db, accountId);
    // Written by `notify`.
    const items = found.map(
      ({ data, ...rest }) => ({ ...rest, data: JSON.parse(data) }) as ListedNotification,
    );
    return { items, total: onlyUnread ? unread : total, ...page, unread };
  }

  /**
   * Marks notifications of the account as read: those with the ids, and all up to the id `until`.
   * @returns how many are still unread
   */
  async markRead(
    accountId: number,
    { ids = [], until = 0 }: { readonly ids?: readonly number[]; readonly until?: number },
  ): Promise<number> {
    const { database, clock } = this.#parts;
    return database.transact(async (tx) => {
      const marked = await markRead(tx, accountId, { ids, until, now: clock.now() });
      // The account's other tabs then count again.
      if (marked > 0) publishNotified(database, tx, [accountId]);
      return countUnread(tx, accountId);
    });
  }

  async settingsOf(accountId: number): Promise<NotificationSettings> {
    return toSettings(await findSettings(this.#parts.database.db, accountId));
  }

  /**
   * Changes the settings of some kinds.
   * @throws Failure `invalid` for turning off mails that are always sent
   */
  async putSettings(
    accountId: number,
    changes: Readonly<Partial<Record<NotificationKind, NotificationSetting | undefined>>>,
  ): Promise<NotificationSettings> {
    const settings = NOTIFICATION_KINDS.flatMap((kind) => {
      const change = changes[kind];
      return change === undefined ? [] : [{ kind, ...change }];
    });
    for (const { kind, mail } of settings) {
      if (!isOptionalMail(kind) && !mail) {
        throw new Failure('invalid', 'Mail about the security of your account cannot be turned off.', {
          field: kind,
        });
      }
    }
    return this.#parts.database.transact(async (tx) => {
      const rows = settings.map(({ kind, app, mail }) => ({ kind, app: toFlag(app), mail: toFlag(mail) }));
      if (rows.length > 0) await putSettings(tx, accountId, rows);
      return toSettings(await findSettings(tx, accountId));
    });
  }

  /**
   * Deletes notifications of more than 90 days ago, and those that are too many, in batches. Stops when the
   * signal aborts.
   */
  async deleteOld(signal: AbortSignal): Promise<void> {
    const { database, clock } = this.#parts;
    const until = clock.now() - KEPT_MS;
    await database.transactInBatches(1_000, signal, (tx, limit) =>
      deleteNotificationsUntil(tx, until, limit),
    );
    const crowded = await database.readLong((db) => findCrowded(db, MAX_KEPT), signal);
    for (const accountId of crowded) {
      if (signal.aborted) return;
      await database.transact((tx) => deleteSurplus(tx, [accountId], { above: MAX_KEPT, kept: MAX_KEPT }));
    }
  }

  /** Deletes the notifications and settings of an account that is being deleted. */
  async deleteAllOf(accountId: number, signal: AbortSignal): Promise<void> {
    await deleteRowsOf(this.#parts.database, 'notification', accountId, signal);
    await deleteRowsOf(this.#parts.database, 'notification_setting', accountId, signal);
  }
}
