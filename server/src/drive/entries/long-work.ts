import type { Tx } from '../../database/database.ts';
import { isLargeTree } from './subtree-queries.ts';

/*
 * Which changes run on a thread on SQLite (`Database.transactBySize`), because they would stop the event loop
 * for more than a few milliseconds.
 */

/** Changing an entry, with all of its indexes, takes tens of microseconds. */
export const MAX_SHORT_CHANGES = 200;

/** Reading an entry takes about a microsecond. */
const MAX_SHORT_READS = 5_000;

/** For work that writes every entry of a tree, which may be in the recycle bin. */
export function changesManyEntries(rootId: number): (tx: Tx) => Promise<boolean> {
  return (tx) => isLargeTree(tx, rootId, MAX_SHORT_CHANGES);
}

/** For work that reads the directories of a tree. */
export function readsManyEntries(rootId: number): (tx: Tx) => Promise<boolean> {
  return (tx) => isLargeTree(tx, rootId, MAX_SHORT_READS);
}
