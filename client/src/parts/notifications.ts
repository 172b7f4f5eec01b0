import type {
  NotificationPage,
  NotificationSettings,
  NotificationSettingsBody,
} from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';

/** Something that the user was told. Its `kind` decides which `data` it has. */
export type Notification = NotificationPage['items'][number];
export type NotificationKind = Notification['kind'];

export interface ListNotificationsOptions extends CallOptions {
  /** The first page is 0. */
  readonly page?: number | undefined;
  /** 1 to 1,000; 20 if absent. */
  readonly size?: number | undefined;
  /** Only those that are unread. */
  readonly unread?: boolean | undefined;
}

/** What the user was told in the last 90 days. */
export class Notifications {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** One page, newest first, with the number of all unread notifications. @throws HoldallError */
  list({ page, size, unread, ...options }: ListNotificationsOptions = {}): Promise<NotificationPage> {
    return this.#requester.ask('GET /api/v2/notifications', { query: { page, size, unread } }, options);
  }

  /**
   * Marks notifications as read. Returns how many are still unread.
   * @param ids at most 100
   * @throws HoldallError
   */
  async read(ids: readonly number[], options: CallOptions = {}): Promise<number> {
    const call = { body: { ids } };
    return (await this.#requester.ask('POST /api/v2/notifications/read', call, options)).unread;
  }

  /** Marks this notification and all older ones as read. Returns how many are unread. @throws HoldallError */
  async readUntil(id: number, options: CallOptions = {}): Promise<number> {
    const call = { body: { until: id } };
    return (await this.#requester.ask('POST /api/v2/notifications/read', call, options)).unread;
  }

  /** Which kinds the user gets in the app and by mail. @throws HoldallError */
  settings(options: CallOptions = {}): Promise<NotificationSettings> {
    return this.#requester.ask('GET /api/user/notification-settings', {}, options);
  }

  /** Changes the settings of the given kinds. @throws HoldallError */
  changeSettings(body: NotificationSettingsBody, options: CallOptions = {}): Promise<NotificationSettings> {
    return this.#requester.ask('PUT /api/user/notification-settings', { body }, options);
  }
}
