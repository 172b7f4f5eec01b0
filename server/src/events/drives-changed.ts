import type { Database, Tx } from '../database/database.ts';

/** The topic for messages with an account whose list of drives, or whose role in one, has changed. */
export const DRIVES_CHANGED = 'drives-changed';

/**
 * Announces, once the transaction is durable, that the list of drives of these accounts has changed, or a role
 * or a name in it. On every instance, their streams in drives of which they are no longer members end, and
 * their streams of personal drives get `DRIVES_CHANGED`.
 */
export function publishDrivesChanged(database: Database, tx: Tx, accountIds: Iterable<number>): void {
  const all = new Set(accountIds);
  database.afterCommit(tx, () => {
    for (const accountId of all) {
      database.topics.publish(DRIVES_CHANGED, accountId, JSON.stringify({ accountId }));
    }
  });
}
