import { type Clock, MINUTE, SECOND } from '../../base/clock.ts';
import { delayAbort } from '../../base/concurrency/delayed-abort.ts';
import { mapConcurrently } from '../../base/concurrency/map-concurrently.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { hashToken } from '../../base/text/hash-token.ts';
import type { MailSettings } from '../../config/mail.ts';
import type { Database } from '../../database/database.ts';
import type { Settings } from '../../settings/settings.ts';
import { type Letter, type LetterLanguage, toLetterLanguage } from '../letters/letter.ts';
import { openLetter } from '../letters/sealed-letter.ts';
import { isLetterKind, writeLetter } from '../letters/write-letter.ts';
import { type ClaimedMail, claimMail, deleteMail, failMail, findDueMails, scheduleMail } from '../queries.ts';
import { MailFault } from './mail-fault.ts';
import { expiryOf, findNextAttempt, MAX_ATTEMPTS } from './retries.ts';
import { type OutgoingMail, PARALLEL_MAILS, SmtpClient } from './smtp-client.ts';

/** When the last mail was sent. */
export const LAST_SENT_MARKER = 'mail-last-sent-at';

/** How many due mails are read at once. */
const BATCH = 50;
/** A claimed mail becomes due again after this time. It is longer than any attempt. */
const CLAIM_MS = MINUTE;
/** How long the mails that are being sent may take when the service stops. */
const STOP_MS = 5 * SECOND;

/** The maximum number of failed mails that are kept, the newest ones. */
export const MAX_KEPT_FAILURES = 1_000;

/**
 * Says why a letter is not worth sending any more; undefined if it is.
 * @param accountId of the recipient; null for someone without an account
 */
export type FindObstacle = (letter: Letter, accountId: number | null) => Promise<string | undefined>;

/** How an attempt to send a mail ended. */
export type MailOutcome = 'sent' | 'postponed' | 'failed';

export interface OutboxParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly server: MailSettings;
  readonly publicUrl: string;
  readonly box: SecretBox;
  /** Multiplies the delays before further attempts. */
  readonly backoffScale: number;
  readonly onOutcome: (outcome: MailOutcome, mail: { id: number; kind: string; error?: string }) => void;
}

/**
 * Sends queued mails. Each attempt first claims its mail with one conditional update, and a mail that was
 * sent is deleted. So a crash at any point sends at most one more copy, and loses nothing.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  #findObstacle: FindObstacle = async () => undefined;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  checkBeforeSending(findObstacle: FindObstacle): void {
    this.#findObstacle = findObstacle;
  }

  async hasDue(): Promise<boolean> {
    const { database, clock } = this.#parts;
    return (await findDueMails(database.db, clock.now(), 1)).length > 0;
  }

  /**
   * Sends mails that are due, until there are none, the server cannot be used, or the signal aborts. Mails
   * that the signal interrupts stay due.
   */
  async sendDue(signal: AbortSignal): Promise<void> {
    const { database, clock, server } = this.#parts;
    const client = new SmtpClient(server);
    const giveUp = delayAbort(signal, STOP_MS);
    try {
      for (let isUsable = true; isUsable && !signal.aborted; ) {
        const due = await findDueMails(database.db, clock.now(), BATCH);
        if (due.length === 0) return;
        await mapConcurrently(due, PARALLEL_MAILS, async (id) => {
          if (isUsable && !signal.aborted && !(await this.#attempt(client, id, giveUp.signal)))
            isUsable = false;
        });
      }
    } finally {
      giveUp.end();
      await client.close();
    }
  }

  /** Returns whether other mails should be tried. */
  async #attempt(client: SmtpClient, id: number, signal: AbortSignal): Promise<boolean> {
    const { database, clock, settings, box, onOutcome } = this.#parts;
    const now = clock.now();
    const mail = await database.transact((tx) => claimMail(tx, { id, now, nextAttemptAt: now + CLAIM_MS }));
    if (mail === undefined) return true;
    const letter = openLetter(box, mail);
    const obstacle = letter && (await this.#findObstacle(letter, mail.accountId));
    const { name } = await settings.findInstance(database.db);
    try {
      if (obstacle !== undefined) throw new MailFault(obstacle, 'mail-rejected');
      await client.send(this.#write(mail, letter, name), signal);
    } catch (error) {
      if (signal.aborted) return await this.#handBack(mail);
      // Otherwise a letter that cannot be written would be tried forever.
      const fault = error instanceof MailFault ? error : new MailFault(String(error), 'mail-rejected');
      await this.#noteFault(mail, fault);
      return !fault.concernsAll;
    }
    await database.transact(async (tx) => {
      await deleteMail(tx, id);
      await settings.putMarker(tx, LAST_SENT_MARKER, String(clock.now()));
    });
    onOutcome('sent', { id, kind: mail.kind });
    return true;
  }

  /** @throws MailFault if the letter cannot be written, or is not worth sending any more */
  #write(mail: ClaimedMail, letter: Letter | undefined, name: string): OutgoingMail {
    const { id, kind, address, createdAt, attempt } = mail;
    const { publicUrl: url, clock } = this.#parts;
    if (clock.now() >= expiryOf(mail)) throw new MailFault('It has expired.', 'mail-rejected');
    // Crashed attempts are never reported as faults, so they are bounded here.
    if (attempt > MAX_ATTEMPTS) throw new MailFault('There were too many attempts.', 'mail-rejected');
    if (letter === undefined) {
      throw new MailFault('It was queued with another HOLDALL_JWT_SECRET.', 'mail-rejected');
    }
    if (!isLetterKind(letter.kind)) {
      throw new MailFault('It was queued by another version of Holdall.', 'mail-rejected');
    }
    const language: LetterLanguage = toLetterLanguage(mail.language);
    return {
      ...{ to: address, from: name, language },
      letter: writeLetter(letter, language, { url, name }),
      messageId: hashToken(`${id} ${kind} ${createdAt} ${address}`).slice(0, 32),
    };
  }

  async #noteFault(mail: ClaimedMail, { message: error, isFinal }: MailFault): Promise<void> {
    const { database, clock, backoffScale, onOutcome } = this.#parts;
    const now = clock.now();
    const nextAttemptAt = isFinal ? undefined : findNextAttempt(mail, now, backoffScale);
    await database.transact((tx) =>
      nextAttemptAt === undefined
        ? failMail(tx, mail, { now, error, kept: MAX_KEPT_FAILURES })
        : scheduleMail(tx, mail, { nextAttemptAt, error }),
    );
    const { id, kind, address } = mail;
    const outcome = nextAttemptAt === undefined ? 'failed' : 'postponed';
    onOutcome(outcome, { id, kind, error: withoutAddress(error, address) });
  }

  /** Lets another instance, or the next start, send the mail immediately. */
  async #handBack(mail: ClaimedMail): Promise<false> {
    const nextAttemptAt = this.#parts.clock.now();
    await this.#parts.database.transact((tx) => scheduleMail(tx, mail, { nextAttemptAt, error: null }));
    return false;
  }
}

/** Servers often repeat the recipient, whose address does not belong in the log. */
function withoutAddress(error: string, address: string): string {
  const escaped = address.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return error.replaceAll(new RegExp(escaped, 'gi'), '…');
}
