import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { isPublicAddress } from '../../base/network/public-address.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Settings } from '../../settings/settings.ts';
import type { PushNetwork } from './public-agent.ts';
import { type PushTarget, toPushTarget } from './push-endpoint.ts';
import { PushSender, type PushSenderParts } from './push-sender.ts';
import {
  countSubscriptions,
  deleteSubscriptionOf,
  insertDeliveries,
  isSubscribed,
  lockSession,
  replaceSubscription,
  type Subscriber,
} from './queries.ts';
import { toVapidKeys } from './vapid-keys.ts';

export type { PushNetwork } from './public-agent.ts';
export type { PushOutcome } from './push-sender.ts';
export { newVapidKey } from './vapid-keys.ts';

/** Subscriptions are rare, and each replaces the others of its session and endpoint. */
const LOCK = 'push-subscriptions';

/** Only addresses of the internet, because users choose the endpoints. */
const PUBLIC_NETWORK: PushNetwork = { mayReach: isPublicAddress };

interface PushParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly settings: Settings;
  /** Undefined if no push messages are sent. */
  readonly vapidKey: string | undefined;
  /** Opened by notifications. Without it, no push messages are sent. */
  readonly publicUrl: string | undefined;
  /** Undefined for the internet. */
  readonly network: PushNetwork | undefined;
  /** Multiplies the delays before further attempts. */
  readonly backoffScale: number;
  readonly onOutcome: PushSenderParts['onOutcome'];
}

interface PushState {
  readonly publicKey: string | null;
  readonly subscriptions: number;
  readonly current: boolean;
}

/** Sends notifications to browsers, also while no page of Holdall is open (Web Push). */
export class Push {
  /** Sends the queued messages. Undefined if push is off. */
  readonly sender: PushSender | undefined;
  readonly #parts: PushParts;
  readonly #publicKey: string | null;
  readonly #network: PushNetwork;
  #onQueued: () => void = () => {};

  constructor(parts: PushParts) {
    this.#parts = parts;
    const { vapidKey, publicUrl, network = PUBLIC_NETWORK } = parts;
    const keys = vapidKey === undefined ? undefined : toVapidKeys(vapidKey);
    this.#network = network;
    this.#publicKey = keys?.publicKey ?? null;
    this.sender =
      keys === undefined || publicUrl === undefined
        ? undefined
        : new PushSender({ ...parts, keys, publicUrl, network });
  }

  /** Calls the listener after each commit that has queued a message. */
  onQueued(listener: () => void): void {
    this.#onQueued = listener;
  }

  async describe(subscriber: Subscriber): Promise<PushState> {
    if (this.sender === undefined) return { publicKey: null, subscriptions: 0, current: false };
    const { subscriptions, ofSession } = await countSubscriptions(this.#parts.database.db, subscriber);
    return { publicKey: this.#publicKey, subscriptions, current: ofSession > 0 };
  }

  /**
   * Sends the notifications of the account to the browser of the session from now on, until the session ends.
   * Replaces another subscription of the session, and one with the same endpoint.
   * @throws Failure `rejected` if push is off; `invalid`; `unauthenticated` if the session has ended
   */
  async subscribe(subscriber: Subscriber, wanted: PushTarget): Promise<void> {
    if (this.sender === undefined) throw new Failure('rejected', 'This server sends no push messages.');
    const target = toPushTarget(wanted, this.#network.mayReach);
    const { database, settings, clock } = this.#parts;
    if (await isSubscribed(database.db, subscriber, target)) return;
    await database.transact(async (tx) => {
      await settings.lock(tx, LOCK);
      if (!(await lockSession(tx, subscriber)))
        throw new Failure('unauthenticated', 'The login has ended. Please log in again.');
      await replaceSubscription(tx, subscriber, target, clock.now());
    });
  }

  /** Does nothing if the account has no such subscription. */
  async unsubscribe(accountId: number, endpoint: string): Promise<void> {
    const href = URL.canParse(endpoint) ? new URL(endpoint).href : endpoint;
    await this.#parts.database.transact((tx) => deleteSubscriptionOf(tx, accountId, href));
  }

  /** Queues notifications in the caller's transaction, for all subscribed browsers of their accounts. */
  async queue(tx: Tx, told: readonly { readonly notificationId: number }[]): Promise<void> {
    if (this.sender === undefined || told.length === 0) return;
    const { database, clock } = this.#parts;
    const notificationIds = told.map(({ notificationId }) => notificationId);
    const queued = await insertDeliveries(tx, notificationIds, clock.now());
    if (queued === 0) return;
    database.afterCommit(tx, () => {
      this.sender?.noteQueued();
      this.#onQueued();
    });
  }
}
