import { type Clock, DAY } from '../base/clock.ts';
import { isOptionalMail } from '../base/domain/notifications.ts';
import type { SecretBox } from '../base/secret-box.ts';
import type { Tx } from '../database/database.ts';
import { type Letter, toLetterLanguage } from './letters/letter.ts';
import { sealLetter } from './letters/sealed-letter.ts';
import {
  countMails,
  countNoMail,
  countWaitingUpTo,
  insertMails,
  insertNoMail,
  type MailsOfAccount,
  type NewMail,
} from './queries.ts';

/** The maximum number of mails that wait to be sent. */
export const MAX_WAITING_MAILS = 10_000;
/** Mails that can be turned off leave the remaining room to those that people need to log in. */
export const MAX_WAITING_OPTIONAL_MAILS = 9_000;
/** The maximum number of mails to one account on a day (UTC), besides those that can be turned off. */
export const MAX_MAILS_PER_DAY = 200;
/** The same for mails that can be turned off. Other people may cause them. */
export const MAX_OPTIONAL_MAILS_PER_DAY = 50;

/** Why a mail was not queued. */
export type DroppedMail = 'too-many-for-account' | 'outbox-full';

/** A letter and its recipient. */
export interface MailToQueue {
  readonly to: string;
  /** The recipient's account, if there is one. */
  readonly accountId: number | null;
  /** The language that the recipient prefers (BCP 47), if any. */
  readonly language: string | null;
  readonly letter: Letter;
}

interface MailQueueParts {
  readonly clock: Clock;
  readonly box: SecretBox;
  readonly onDropped: (reason: DroppedMail, mail: { kind: string; accountId: number | null }) => void;
}

/** Adds mails to the outbox, within its limits. */
export class MailQueue {
  readonly #parts: MailQueueParts;

  constructor(parts: MailQueueParts) {
    this.#parts = parts;
  }

  /** Takes three statements for any number of mails. @returns how many were added */
  async add(tx: Tx, mails: readonly MailToQueue[]): Promise<number> {
    if (mails.length === 0) return 0;
    const admitted = await this.#countForAccounts(tx, mails);
    if (admitted.length === 0) return 0;
    const waiting = await countWaitingUpTo(tx, MAX_WAITING_MAILS);
    const rows: NewMail[] = [];
    for (const mail of admitted) {
      const { kind } = mail.letter;
      const max = isOptionalMail(kind) ? MAX_WAITING_OPTIONAL_MAILS : MAX_WAITING_MAILS;
      if (waiting + rows.length < max) rows.push(this.#toRow(mail));
      else this.#parts.onDropped('outbox-full', { kind, accountId: mail.accountId });
    }
    if (rows.length > 0) await insertMails(tx, rows);
    return rows.length;
  }

  /** Runs the statements of {@link add} for one mail to an account, and adds nothing. */
  async pretendToAdd(tx: Tx, letter: Letter): Promise<void> {
    await countNoMail(tx);
    await countWaitingUpTo(tx, MAX_WAITING_MAILS);
    await insertNoMail(tx, this.#toRow({ to: '', accountId: null, language: null, letter }));
  }

  /** Returns the mails that their accounts may still get today. */
  async #countForAccounts(tx: Tx, mails: readonly MailToQueue[]): Promise<readonly MailToQueue[]> {
    const now = this.#parts.clock.now();
    const added = countByAccount(mails);
    const counts = added.length === 0 ? [] : await countMails(tx, now - (now % DAY), added);
    const room = new Map(
      counts.map((total) => {
        const before = added.find(({ accountId }) => accountId === total.accountId);
        const left = {
          mails: MAX_MAILS_PER_DAY - total.mails + (before?.mails ?? 0),
          optionalMails: MAX_OPTIONAL_MAILS_PER_DAY - total.optionalMails + (before?.optionalMails ?? 0),
        };
        return [total.accountId, left];
      }),
    );
    return mails.filter(({ accountId, letter: { kind } }) => {
      const left = accountId === null ? undefined : room.get(accountId);
      if (left === undefined) return true;
      const column = columnOf(kind);
      left[column] -= 1;
      if (left[column] >= 0) return true;
      this.#parts.onDropped('too-many-for-account', { kind, accountId });
      return false;
    });
  }

  #toRow({ to, accountId, language, letter }: MailToQueue): NewMail {
    const { box, clock } = this.#parts;
    return {
      ...{ accountId, address: to, kind: letter.kind, now: clock.now() },
      language: toLetterLanguage(language),
      sealedData: sealLetter(box, to, letter),
    };
  }
}

function columnOf(kind: string): 'mails' | 'optionalMails' {
  return isOptionalMail(kind) ? 'optionalMails' : 'mails';
}

/** In the order of the accounts. */
function countByAccount(mails: readonly MailToQueue[]): readonly MailsOfAccount[] {
  const counts = new Map<number, { mails: number; optionalMails: number }>();
  for (const { accountId, letter } of mails) {
    if (accountId === null) continue;
    const count = counts.get(accountId) ?? { mails: 0, optionalMails: 0 };
    count[columnOf(letter.kind)] += 1;
    counts.set(accountId, count);
  }
  return [...counts]
    .map(([accountId, count]) => ({ accountId, ...count }))
    .toSorted((a, b) => a.accountId - b.accountId);
}
