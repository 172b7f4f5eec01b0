import {
  checkDepth,
  checkLength,
  childOf,
  type LogicalPath,
  segmentsOf,
} from '../../base/text/logical-path.ts';
import type { Tx } from '../../database/database.ts';
import type { Entry } from './entry.ts';
import { findHeight } from './subtree-queries.ts';

/*
 * How far from the root things may lie. Nothing lies deeper than a path has levels, so that every walk up or down a
 * tree is short. Of the bytes of paths only those of the entry itself are counted: for what lies below it, a rename
 * would have to read the whole tree. Such a path can become longer than one that a caller may send; the entry is then
 * still found by its id, and moved up by it.
 *
 * A tree that comes back from the recycle bin lies as deep as it lay before, so there is nothing to check.
 */

/** @throws Failure `invalid` when a path of that name in that directory would be too long or too deep */
export function checkPathLimits(directoryPath: LogicalPath, name: string): void {
  checkDepth(segmentsOf(directoryPath).length + 1);
  checkLength(childOf(directoryPath, name));
}

/**
 * The same for an entry with all that lies below it.
 * @param fromPath the directory it lies in: what is put no deeper than it is needs no look at what lies below
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
  if (!entry.isDirectory || level <= segmentsOf(fromPath).length + 1) return;
  checkDepth(level + (await findHeight(tx, entry)));
}
