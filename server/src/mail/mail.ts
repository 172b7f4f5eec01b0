import { type Clock, DAY, type Instant } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import { SecretBox } from '../base/secret-box.ts';
import type { MailSettings } from '../config/mail.ts';
import type { Database, Tx } from '../database/database.ts';
import { deleteRowsOf } from '../database/owned-rows.ts';
import type { Settings } from '../settings/settings.ts';
import type { Letter } from './letters/letter.ts';
import {
  countWaitingMails,
  deleteAllFailedMails,
  deleteFailedMails,
  type FailedMail,
  findFailedMails,
  findLastMailError,
  type WaitingMails,
} from './queries.ts';
import { type DroppedMail, MailQueue, type MailToQueue } from './queue.ts';
import { type FindObstacle, LAST_SENT_MARKER, type MailOutcome, Outbox } from './sending/outbox.ts';

export { findLetterLanguage, type Letter, type LetterLanguage, TOKEN_TTL_MS } from './letters/letter.ts';
export { type Site, summarizeLetter } from './letters/write-letter.ts';
export type { FailedMail } from './queries.ts';
export type { MailToQueue } from './queue.ts';
export type { MailOutcome, Outbox } from './sending/outbox.ts';
export { sendTestMail } from './sending/test-mail.ts';

/** The maximum number of failed mails that administrators see. */
export const MAX_SHOWN_FAILURES = 100;
/** How long administrators can see a failed mail. */
const FAILURES_KEPT_MS = 30 * DAY;

interface MailParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: Settings;
  readonly serviceSecret: string;
  /** Undefined if no mail is sent. */
  readonly server: MailSettings | undefined;
  /** For links. Without it, no mail is sent. */
  readonly publicUrl: string | undefined;
  /** Multiplies the delays before further attempts. */
  readonly backoffScale: number;
  readonly onDropped: (reason: DroppedMail, mail: { kind: string; accountId: number | null }) => void;
  readonly onOutcome: (outcome: MailOutcome, mail: { id: number; kind: string; error?: string }) => void;
}

/** The state of mail, for administrators. */
export interface MailState extends WaitingMails {
  /** Null if mail is off. */
  readonly from: string | null;
  /** Those that failed last, the newest first. */
  readonly failed: readonly FailedMail[];
  /** Why the last attempt failed, of all mails that have not been sent. */
  readonly lastError: string | null;
  readonly lastSentAt: Instant | null;
}

/** Queues mails in the database. They are sent after the commit, so no request waits for the mail server. */
export class Mail {
  /** Sends the queued mails. Undefined if mail is off. */
  readonly outbox: Outbox | undefined;
  readonly #parts: MailParts;
  readonly #queue: MailQueue;
  #onQueued: () => void = () => {};

  constructor(parts: MailParts) {
    this.#parts = parts;
    const box = new SecretBox(parts.serviceSecret, 'holdall mail', parts.ids);
    this.#queue = new MailQueue({ ...parts, box });
    const { server, publicUrl } = parts;
    this.outbox =
      server === undefined || publicUrl === undefined
        ? undefined
        : new Outbox({ ...parts, server, publicUrl, box });
  }

  /** Whether mails are sent. */
  get isOn(): boolean {
    return this.outbox !== undefined;
  }

  /** Checks each letter again when it is about to be sent. It may have waited for two days. */
  checkBeforeSending(findObstacle: FindObstacle): void {
    this.outbox?.checkBeforeSending(findObstacle);
  }

  /** Calls the listener after each commit that has queued a mail. */
  onQueued(listener: () => void): void {
    this.#onQueued = listener;
  }

  /**
   * Queues a mail in the caller's transaction, as {@link queueAll} does.
   * @returns whether it was queued
   */
  async queue(tx: Tx, mail: MailToQueue): Promise<boolean> {
    return (await this.queueAll(tx, [mail])) === 1;
  }

  /**
   * Queues mails in the caller's transaction. Does nothing if mail is off. A mail is dropped if its account got
   * too many on this day, or if the outbox is full.
   * @returns how many were queued
   */
  async queueAll(tx: Tx, mails: readonly MailToQueue[]): Promise<number> {
    if (!this.isOn) return 0;
    const queued = await this.#queue.add(tx, mails);
    if (queued > 0) this.#parts.database.afterCommit(tx, () => this.#onQueued());
    return queued;
  }

  async describe(): Promise<MailState> {
    const { database, settings, server } = this.#parts;
    const { db } = database;
    const lastSentAt = await settings.findMarker(db, LAST_SENT_MARKER);
    return {
      ...(await countWaitingMails(db)),
      from: this.isOn ? (server?.from ?? null) : null,
      failed: await findFailedMails(db, MAX_SHOWN_FAILURES),
      lastError: await findLastMailError(db),
      lastSentAt: lastSentAt === undefined ? null : Number(lastSentAt),
    };
  }

  async countWaiting(): Promise<number> {
    return (await countWaitingMails(this.#parts.database.db)).waiting;
  }

  /** Forgets the mails that failed; returns how many there were. */
  clearFailed(tx: Tx): Promise<number> {
    return deleteAllFailedMails(tx);
  }

  /** Deletes mails that failed long ago, in batches. Stops when the signal aborts. */
  deleteOldFailures(signal: AbortSignal): Promise<void> {
    const failedUntil = this.#parts.clock.now() - FAILURES_KEPT_MS;
    return this.#parts.database.transactInBatches(1_000, signal, (tx, limit) =>
      deleteFailedMails(tx, failedUntil, limit),
    );
  }

  /** Deletes the mails to an account that is being deleted. */
  async deleteAllOf(accountId: number, signal: AbortSignal): Promise<void> {
    await deleteRowsOf(this.#parts.database, 'mail', accountId, signal);
    await deleteRowsOf(this.#parts.database, 'mail_count', accountId, signal);
  }

  /**
   * Runs the statements of {@link queue} for an account, and queues nothing. So the time of a request does not
   * reveal whether a mail was queued.
   */
  async pretendToQueue(tx: Tx, letter: Letter): Promise<void> {
    if (this.isOn) await this.#queue.pretendToAdd(tx, letter);
  }
}

export function tooManyMailsWait(): Failure {
  return new Failure('unavailable', 'Too many mails are waiting to be sent. Try again later.');
}

export function mailIsOff(): Failure {
  return new Failure('rejected', 'This server sends no mail. Ask your administrator for help.');
}
