import { type Clock, DAY, HOUR, MINUTE, SECOND } from '../../base/clock.ts';
import { delayAbort } from '../../base/concurrency/delayed-abort.ts';
import { toError } from '../../base/errors.ts';
import type { Database } from '../../database/database.ts';
import type { Settings } from '../../settings/settings.ts';
import type { PushNetwork } from './public-agent.ts';
import { type PushAnswer, PushClient } from './push-client.ts';
import { toPushMessage } from './push-message.ts';
import {
  type ClaimedDelivery,
  claimDelivery,
  deleteDelivery,
  deleteSubscription,
  findDueDeliveries,
  postponeDeliveries,
  scheduleDelivery,
} from './queries.ts';
import { RunningAttempts } from './running-attempts.ts';
import type { VapidKeys } from './vapid-keys.ts';

/** The maximum number of messages that are sent at the same time. */
const PARALLEL = 16;
/** The same for one account, so that its slow endpoints leave room for the messages to others. */
const PARALLEL_PER_ACCOUNT = 2;
/** A claimed message becomes due again after this time. It is longer than any attempt. */
const CLAIM_MS = MINUTE;
/** How long the messages that are being sent may take when the service stops. */
const STOP_MS = 2 * SECOND;
/** The delays after failed attempts. */
const DELAYS_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE];
/** How long a push service can delay the next attempt. */
const MAX_RETRY_AFTER_MS = HOUR;
/** Answers to a message that would get the same answer again. 404 and 410 say that the browser is gone. */
const isFinal = (status: number) => status >= 400 && status < 500 && ![404, 408, 410, 429].includes(status);
/** Older notifications are not worth a message any more. */
const MAX_AGE_MS = DAY;

/** How an attempt to send a message ended. `gone`: its push service no longer knows the subscription. */
export type PushOutcome = 'sent' | 'postponed' | 'failed' | 'gone';

/** An attempt, without the endpoint, because anyone who knows it can send there. */
interface Attempt {
  readonly notificationId: number;
  /** The host of the push service. */
  readonly host: string;
  readonly error?: string;
}

export interface PushSenderParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly keys: VapidKeys;
  readonly publicUrl: string;
  readonly network: PushNetwork;
  /** Multiplies the delays before further attempts. */
  readonly backoffScale: number;
  readonly onOutcome: (outcome: PushOutcome, attempt: Attempt) => void;
}

/**
 * Sends queued push messages. Each attempt first claims its message with one conditional update, and a
 * message that was sent is deleted. So a crash at any point loses nothing.
 */
export class PushSender {
  readonly #parts: PushSenderParts;
  #queued = Promise.withResolvers<void>();

  constructor(parts: PushSenderParts) {
    this.#parts = parts;
  }

  /** Lets a run that waits for slow endpoints begin with a message that was queued just now. */
  noteQueued(): void {
    this.#queued.resolve();
    this.#queued = Promise.withResolvers();
  }

  async hasDue(): Promise<boolean> {
    const { database, clock } = this.#parts;
    return (await findDueDeliveries(database.db, { now: clock.now(), busy: [], limit: 1 })).length > 0;
  }

  /** Sends messages that are due until there are none. Those that the signal interrupts stay due. */
  async sendDue(signal: AbortSignal): Promise<void> {
    const { keys, publicUrl, network } = this.#parts;
    const subject = toSubject(publicUrl);
    const client = new PushClient({ network, keys, subject, maxConnections: PARALLEL });
    const giveUp = delayAbort(signal, STOP_MS);
    const running = new RunningAttempts();
    try {
      for (;;) {
        const queued = this.#queued.promise;
        const areAllStarted = await this.#startDue(running, signal, (delivery) =>
          this.#attempt(client, delivery, giveUp.signal),
        );
        if (running.size > 0) await running.waitForOne(queued);
        else if (areAllStarted) return;
      }
    } finally {
      await running.waitForAll();
      giveUp.end();
      client.close();
    }
  }

  /**
   * Starts as many attempts as there is room for.
   * @returns whether there are no others to start. The last attempts may end while the query still leaves their
   *   accounts out, so the absence of attempts does not say that.
   */
  async #startDue(
    running: RunningAttempts,
    signal: AbortSignal,
    attempt: (delivery: ClaimedDelivery) => Promise<void>,
  ): Promise<boolean> {
    const { database, clock } = this.#parts;
    while (running.size < PARALLEL && !signal.aborted) {
      const now = clock.now();
      const busy = running.listBusy(PARALLEL_PER_ACCOUNT);
      const due = await findDueDeliveries(database.db, { now, busy, limit: PARALLEL - running.size });
      if (due.length === 0) return busy.length === 0;
      for (const { id, accountId } of due) {
        if (running.countOf(accountId) >= PARALLEL_PER_ACCOUNT) continue;
        const claim = { id, now, nextAttemptAt: now + CLAIM_MS };
        const delivery = await database.transact((tx) => claimDelivery(tx, claim));
        if (delivery !== undefined) running.add(accountId, attempt(delivery));
      }
    }
    return signal.aborted;
  }

  async #attempt(client: PushClient, delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    const { database, clock, settings, publicUrl: url } = this.#parts;
    const { id, subscriptionId, language, notification } = delivery;
    const isWanted = delivery.isWanted && notification.createdAt + MAX_AGE_MS > clock.now();
    if (!isWanted) return database.transact((tx) => deleteDelivery(tx, id));
    const site = { url, name: (await settings.findInstance(database.db)).name };
    const message = toPushMessage(notification, { language, site });
    if (message === undefined) return database.transact((tx) => deleteDelivery(tx, id));
    let answer: PushAnswer;
    try {
      answer = await client.send(delivery, message, signal);
    } catch (error) {
      if (signal.aborted) await this.#handBack(delivery);
      else await this.#noteFault(delivery, toError(error).message);
      return;
    }
    const { status, retryAfterMs } = answer;
    if (status >= 200 && status < 300) {
      await database.transact((tx) => deleteDelivery(tx, id));
      this.#report('sent', delivery);
    } else if (status === 404 || status === 410) {
      await database.transact((tx) => deleteSubscription(tx, subscriptionId));
      this.#report('gone', delivery);
    } else if (isFinal(status)) {
      await database.transact((tx) => deleteDelivery(tx, id));
      this.#report('failed', delivery, `It answered ${status}.`);
    } else {
      await this.#noteFault(delivery, `It answered ${status}.`, retryAfterMs);
    }
  }

  async #noteFault(delivery: ClaimedDelivery, error: string, retryAfterMs = 0): Promise<void> {
    const { database, clock, backoffScale } = this.#parts;
    const { id, subscriptionId, attempt } = delivery;
    const delayMs = DELAYS_MS[attempt - 1];
    const now = clock.now();
    await database.transact(async (tx) => {
      if (delayMs === undefined) await deleteDelivery(tx, id);
      else {
        const wantedMs = Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
        const nextAttemptAt = now + Math.max(delayMs * backoffScale, wantedMs);
        await scheduleDelivery(tx, delivery, nextAttemptAt);
        // Otherwise each of them would take the time of an attempt now.
        await postponeDeliveries(tx, subscriptionId, { now, nextAttemptAt });
      }
    });
    this.#report(delayMs === undefined ? 'failed' : 'postponed', delivery, error);
  }

  /** Lets another instance, or the next start, send the message immediately. */
  async #handBack(delivery: ClaimedDelivery): Promise<void> {
    const { database, clock } = this.#parts;
    await database.transact((tx) => scheduleDelivery(tx, delivery, clock.now()));
  }

  #report(outcome: PushOutcome, { endpoint, notification }: ClaimedDelivery, error?: string): void {
    const { host } = new URL(endpoint);
    this.#parts.onOutcome(outcome, {
      ...{ notificationId: notification.id, host },
      ...(error !== undefined && { error }),
    });
  }
}

/** Push services accept only these two. Every mail domain has the address of a postmaster. */
function toSubject(publicUrl: string): string {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' ? publicUrl : `mailto:postmaster@${hostname}`;
}
