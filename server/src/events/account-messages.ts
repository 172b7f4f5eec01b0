import type { Database, Tx } from '../database/database.ts';

/** The topic for messages with accounts whose streams of personal drives must send something. */
export const ACCOUNT_MESSAGES = 'account-message';

/** What the streams send. Neither has a path or more content: clients then ask for what they show. */
export const ACCOUNT_MESSAGE_TYPES = ['DRIVES_CHANGED', 'NOTIFICATION'] as const;
export type AccountMessageType = (typeof ACCOUNT_MESSAGE_TYPES)[number];

export interface AccountMessage {
  readonly eventType: AccountMessageType;
  readonly accountIds: readonly number[];
}

/** The maximum number of accounts in one message, which has at most a few hundred bytes. */
const ACCOUNTS_PER_MESSAGE = 25;

/**
 * Announces, once the transaction is durable, that the list of drives of these accounts has changed, or a role
 * or a name in it. On every instance, their streams in drives of which they are no longer members end, and
 * their streams of personal drives get `DRIVES_CHANGED`.
 */
export function publishDrivesChanged(database: Database, tx: Tx, accountIds: Iterable<number>): void {
  publish(database, tx, 'DRIVES_CHANGED', accountIds);
}

/**
 * Announces, once the transaction is durable, that these accounts have new notifications, or have read some.
 * Their streams of personal drives on every instance get `NOTIFICATION`.
 */
export function publishNotified(database: Database, tx: Tx, accountIds: Iterable<number>): void {
  publish(database, tx, 'NOTIFICATION', accountIds);
}

function publish(
  database: Database,
  tx: Tx,
  eventType: AccountMessageType,
  accountIds: Iterable<number>,
): void {
  const all = [...new Set(accountIds)];
  database.afterCommit(tx, () => {
    for (let start = 0; start < all.length; start += ACCOUNTS_PER_MESSAGE) {
      const some = all.slice(start, start + ACCOUNTS_PER_MESSAGE);
      const message: AccountMessage = { eventType, accountIds: some };
      database.topics.publish(ACCOUNT_MESSAGES, `${eventType} ${some.join()}`, JSON.stringify(message));
    }
  });
}
