import type { Clock } from '../base/clock.ts';
import type { Notification } from '../base/domain/notifications.ts';
import type { Database, Tx } from '../database/database.ts';
import { publishNotified } from '../events/events.ts';
import type { Letter, Mail } from '../mail/mail.ts';
import { toBoundedData } from './bounded-data.ts';
import { deleteSurplus, findRecipients, insertNotifications, type Recipient } from './queries.ts';
import { type Message, updateRoles } from './recent-roles.ts';
import { type NotificationSetting, settingOf } from './settings.ts';

/** The maximum number of accounts that are told something at once. */
export const MAX_RECIPIENTS = 100;
/** How many notifications of an account are kept, and as many about security. */
export const MAX_KEPT = 1_000;
/** Beyond this number, surplus is deleted immediately, and not by the maintenance job. */
const MAX_STORED = 1_100;

/** An account that was told something in the app. */
export interface Told {
  readonly notificationId: number;
  readonly accountId: number;
  /** The language that the account prefers (BCP 47), if any. */
  readonly language: string | null;
  readonly notification: Notification;
}

/** Runs in the transaction that tells the accounts. */
export type NotifiedHook = (tx: Tx, told: readonly Told[]) => Promise<void>;

interface Collected {
  readonly accountIds: readonly number[];
  readonly notification: Notification;
}

interface TellingParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly mail: Mail;
}

/**
 * Collects what a transaction tells, and writes it as the last step of the transaction, in the order of the
 * accounts. So rows that all mails to an account share are locked for a short time only, and two transactions
 * cannot wait for each other.
 */
export class Telling {
  readonly #parts: TellingParts;
  readonly #hooks: NotifiedHook[] = [];
  readonly #collected = new WeakMap<Tx, Collected[]>();

  constructor(parts: TellingParts) {
    this.#parts = parts;
  }

  onTold(hook: NotifiedHook): void {
    this.#hooks.push(hook);
  }

  collect(tx: Tx, accountIds: readonly number[], { kind, data }: Notification): void {
    const wanted = [...new Set(accountIds)].slice(0, MAX_RECIPIENTS);
    if (wanted.length === 0) return;
    // Bounding changes only the length of texts.
    const notification = { kind, data: toBoundedData(data) } as Notification;
    const collected = this.#collected.get(tx);
    if (collected !== undefined) {
      collected.push({ accountIds: wanted, notification });
      return;
    }
    const all = [{ accountIds: wanted, notification }];
    this.#collected.set(tx, all);
    this.#parts.database.beforeCommit(tx, () => this.#tell(tx, all));
  }

  async #tell(tx: Tx, collected: readonly Collected[]): Promise<void> {
    const messages = await this.#address(tx, collected);
    const told = await updateRoles(tx, messages, this.#parts.clock.now());
    const inApp = told.added.filter((message) => wishOf(message).app);
    await this.#tellInApp(tx, inApp);
    await this.#mail(tx, told.added);
    const reached = [...inApp, ...told.updated].map(({ recipient }) => recipient.accountId);
    if (reached.length > 0) publishNotified(this.#parts.database, tx, new Set(reached));
  }

  /** Finds who of the recipients can be told something, and what they have chosen. */
  async #address(tx: Tx, collected: readonly Collected[]): Promise<readonly Message[]> {
    const ids = [...new Set(collected.flatMap(({ accountIds }) => accountIds))].toSorted((a, b) => a - b);
    const kinds = [...new Set(collected.map(({ notification }) => notification.kind))];
    const byAccount = Map.groupBy(
      await findRecipients(tx, ids, kinds),
      ({ accountId }: Recipient) => accountId,
    );
    return ids.flatMap((id) => {
      const rows = byAccount.get(id);
      const [first] = rows ?? [];
      if (rows === undefined || first === undefined) return [];
      return collected
        .filter(({ accountIds }) => accountIds.includes(id))
        .map(({ notification }) => ({
          notification,
          recipient: rows.find(({ kind }) => kind === notification.kind) ?? {
            ...first,
            ...{ kind: null, app: null, mail: null },
          },
        }));
    });
  }

  async #tellInApp(tx: Tx, messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    const rows = messages.map(({ recipient: { accountId }, notification: { kind, data } }) => ({
      ...{ accountId, kind, data: JSON.stringify(data) },
    }));
    const ids = await insertNotifications(tx, rows, this.#parts.clock.now());
    const accountIds = [...new Set(rows.map(({ accountId }) => accountId))];
    await deleteSurplus(tx, accountIds, { above: MAX_STORED, kept: MAX_KEPT });
    const told = messages.flatMap(({ recipient: { accountId, language }, notification }, index) => {
      const notificationId = ids[index];
      return notificationId === undefined ? [] : [{ notificationId, accountId, language, notification }];
    });
    for (const hook of this.#hooks) await hook(tx, told);
  }

  async #mail(tx: Tx, messages: readonly Message[]): Promise<void> {
    const mails = messages.flatMap((message) => {
      const { recipient, notification } = message;
      const { accountId, verifiedEmail: to, language } = recipient;
      if (to === null || !wishOf(message).mail) return [];
      // The members are those of the kind.
      const letter = { kind: notification.kind, ...notification.data } as Letter;
      return [{ to, accountId, language, letter }];
    });
    await this.#parts.mail.queueAll(tx, mails);
  }
}

/** How the recipient of the message is told. */
function wishOf({ recipient, notification: { kind } }: Message): NotificationSetting {
  return settingOf(kind, recipient);
}
