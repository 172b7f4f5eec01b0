import type { ConflictRule } from '../../base/domain/conflict-rules.ts';
import type { Db, Tx } from '../../database/database.ts';
import { findHighestEntryId } from './entry-queries.ts';
import { isLargeTree } from './subtree-queries.ts';

/*
 * Decides which work on a drive would block the event loop for more than a few milliseconds. With SQLite,
 * such work runs on a thread (`Database.transactBySize`, `Database.readBySize`).
 */

/** Changing an entry, with all of its indexes, takes tens of microseconds. */
export const MAX_SHORT_CHANGES = 200;

/** Reading an entry takes about a microsecond. */
const MAX_SHORT_READS = 5_000;

/** Stepping over an index entry takes even less. */
export const MAX_SHORT_WALK = 20_000;

/** For work that inserts `count` entries. */
export function insertsEntries(count: number): () => Promise<boolean> {
  return async () => count > MAX_SHORT_CHANGES;
}

/** For work that writes every entry of a tree, which may be in the recycle bin. */
export function changesManyEntries(rootId: number): (tx: Tx) => Promise<boolean> {
  return (tx) => isLargeTree(tx, rootId, MAX_SHORT_CHANGES);
}

/** For work that may also move an existing entry to the recycle bin, with everything below it. */
export function longIfReplacing(
  rule: ConflictRule,
  isLong: (tx: Tx) => Promise<boolean>,
): (tx: Tx) => Promise<boolean> {
  return rule === 'REPLACE' ? async () => true : isLong;
}

/** For work that reads the entries of a tree. */
export function readsManyEntries(rootId: number): (db: Db) => Promise<boolean> {
  return (db) => isLargeTree(db, rootId, MAX_SHORT_READS);
}

/** For work that walks an index over the entries of all drives. */
export async function isLargeDatabase(db: Db): Promise<boolean> {
  return (await findHighestEntryId(db)) > MAX_SHORT_WALK;
}
