import { type Clock, DAY, type Instant } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import { SecretBox } from '../base/secret-box.ts';
import type { MailSettings } from '../config/mail.ts';
import type { Database, Tx } from '../database/database.ts';
import { deleteRowsOf } from '../database/owned-rows.ts';
import type { Settings } from '../settings/settings.ts';
import { type Letter, toLetterLanguage } from './letters/letter.ts';
import { sealLetter } from './letters/sealed-letter.ts';
import {
  countMail,
  countNoMail,
  countWaitingMails,
  deleteAllFailedMails,
  deleteFailedMails,
  type FailedMail,
  findFailedMails,
  findLastMailError,
  insertMail,
  type WaitingMails,
} from './queries.ts';
import { LAST_SENT_MARKER, type MailOutcome, Outbox } from './sending/outbox.ts';

export { type Letter, TOKEN_TTL_MS } from './letters/letter.ts';
export type { FailedMail } from './queries.ts';
export type { MailOutcome, Outbox } from './sending/outbox.ts';
export { sendTestMail } from './sending/test-mail.ts';

/** The maximum number of mails that wait to be sent. */
export const MAX_WAITING_MAILS = 10_000;
/** The maximum number of mails to one account on a day (UTC). */
export const MAX_MAILS_PER_DAY = 200;
/** The maximum number of failed mails that administrators see. */
export const MAX_SHOWN_FAILURES = 100;
/** How long administrators can see a failed mail. */
const FAILURES_KEPT_MS = 30 * DAY;

/** Why a mail was not queued. */
type DroppedMail = 'too-many-for-account' | 'outbox-full';

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

/** A letter and its recipient. */
export interface MailToQueue {
  readonly to: string;
  /** The recipient's account, if there is one. */
  readonly accountId: number | null;
  /** The language that the recipient prefers (BCP 47), if any. */
  readonly language: string | null;
  readonly letter: Letter;
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
  readonly #box: SecretBox;
  #onQueued: () => void = () => {};

  constructor(parts: MailParts) {
    this.#parts = parts;
    this.#box = new SecretBox(parts.serviceSecret, 'holdall mail', parts.ids);
    const { server, publicUrl } = parts;
    this.outbox =
      server === undefined || publicUrl === undefined
        ? undefined
        : new Outbox({ ...parts, server, site: { url: publicUrl }, box: this.#box });
  }

  /** Whether mails are sent. */
  get isOn(): boolean {
    return this.outbox !== undefined;
  }

  /** Calls the listener after each commit that has queued a mail. */
  onQueued(listener: () => void): void {
    this.#onQueued = listener;
  }

  /**
   * Queues a mail in the caller's transaction. Does nothing if mail is off. A mail is dropped if the account
   * got too many on this day, or if the outbox is full.
   * @returns whether it was queued
   */
  async queue(tx: Tx, { to, accountId, language, letter }: MailToQueue): Promise<boolean> {
    if (!this.isOn) return false;
    const { database, clock, onDropped } = this.#parts;
    const { kind } = letter;
    const now = clock.now();
    const day = now - (now % DAY);
    if (accountId !== null && !(await countMail(tx, { accountId, day, maxMails: MAX_MAILS_PER_DAY }))) {
      onDropped('too-many-for-account', { kind, accountId });
      return false;
    }
    const mail = {
      ...{ accountId, kind, now },
      address: to,
      language: toLetterLanguage(language),
      sealedData: sealLetter(this.#box, to, letter),
    };
    if (!(await insertMail(tx, mail, MAX_WAITING_MAILS))) {
      onDropped('outbox-full', { kind, accountId });
      return false;
    }
    database.afterCommit(tx, () => this.#onQueued());
    return true;
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
    if (!this.isOn) return;
    await countNoMail(tx);
    const mail = { accountId: null, address: '', kind: letter.kind, language: 'en' };
    const sealedData = sealLetter(this.#box, '', letter);
    await insertMail(tx, { ...mail, sealedData, now: this.#parts.clock.now() }, 0);
  }
}

export function mailIsOff(): Failure {
  return new Failure('rejected', 'This server sends no mail. Ask your administrator for help.');
}
