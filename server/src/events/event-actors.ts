import type { Database } from '../database/database.ts';
import { clearActor, findEventIds } from './actor-queries.ts';

/** How many events one transaction reads. There is no index on the actor, which every change would write. */
const BATCH = 5_000;

/** Removes an account that is being deleted, and its name, from events. Stops when the signal aborts. */
export async function removeActor(database: Database, accountId: number, signal: AbortSignal): Promise<void> {
  const { first, last } = await findEventIds(database.db);
  if (first === null || last === null) return;
  for (let from = first; from <= last && !signal.aborted; from += BATCH) {
    await database.transact((tx) => clearActor(tx, accountId, { first: from, end: from + BATCH }));
  }
}
