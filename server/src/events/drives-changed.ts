import type { Database, Tx } from '../database/database.ts';

/** The topic for messages with an account whose list of drives, or whose role in one, has changed. */
export const DRIVES_CHANGED = 'drives-changed';

/** The maximum number of accounts in one message, which has at most a few hundred bytes. */
const ACCOUNTS_PER_MESSAGE = 25;

/**
 * Announces, once the transaction is durable, that the list of drives of these accounts has changed, or a role
 * or a name in it. On every instance, their streams in drives of which they are no longer members end, and
 * their streams of personal drives get `DRIVES_CHANGED`.
 */
export function publishDrivesChanged(database: Database, tx: Tx, accountIds: Iterable<number>): void {
  const all = [...new Set(accountIds)];
  database.afterCommit(tx, () => {
    for (let start = 0; start < all.length; start += ACCOUNTS_PER_MESSAGE) {
      const some = all.slice(start, start + ACCOUNTS_PER_MESSAGE);
      database.topics.publish(DRIVES_CHANGED, some.join(), JSON.stringify({ accountIds: some }));
    }
  });
}
