import {
  checkDepth,
  checkPathLimits,
  type LogicalPath,
  segmentsOf,
} from '../../base/text/names/logical-path.ts';
import type { Tx } from '../../database/database.ts';
import type { Entry } from './entry.ts';
import { findHeight } from './subtree-queries.ts';

/*
 * Limits on the depth and the length of paths.
 *
 * The depth limit applies to every entry, so every walk up or down a tree is short. The length limit applies
 * only to the path of the entry that is created, renamed or moved: checking its descendants would mean
 * reading the whole subtree. So the path of a descendant can become longer than a caller may send. That entry
 * can still be found, and moved up, by its id.
 *
 * A tree that is restored from the recycle bin returns to its former depth, so restoring checks nothing.
 */

/**
 * Checks the limits for an entry with its whole subtree.
 * @param fromPath the entry's parent directory; the subtree is read only if the entry gets deeper
 * @throws Failure `invalid`
 */
export async function checkTreePathLimits(
  tx: Tx,
  entry: Entry,
  fromPath: LogicalPath,
  directoryPath: LogicalPath,
): Promise<void> {
  checkPathLimits(directoryPath, entry.name);
  const level = segmentsOf(directoryPath).length + 1;
  // A copy of the root of a drive is always deeper.
  const fromLevel = entry.parentId === null ? 0 : segmentsOf(fromPath).length + 1;
  if (level > fromLevel) await checkTreeDepth(tx, entry, directoryPath);
}

/** Checks the depth of everything below an entry of a directory. @throws Failure `invalid` */
export async function checkTreeDepth(tx: Tx, entry: Entry, directoryPath: LogicalPath): Promise<void> {
  if (!entry.isDirectory) return;
  checkDepth(segmentsOf(directoryPath).length + 1 + (await findHeight(tx, entry)));
}
