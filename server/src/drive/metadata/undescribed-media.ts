import type { Tx } from '../../database/database.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { resolvePaths } from '../entries/live-entries.ts';
import { findMediaWithoutMetadata } from './queries.ts';

/** The maximum number of files per copy that are treated like new files, so that they get metadata. */
const MAX_TREATED_AS_NEW = 1_000;

/**
 * Runs the hooks for new files on the files of a copied tree that have no metadata. Must be called for a copy
 * into another drive. Within one drive no hook is needed: metadata found for a file is also written to its
 * copies.
 */
export async function runHooksForUndescribed(
  tx: Tx,
  entryEvents: EntryEvents,
  rootId: number,
): Promise<void> {
  const files = await findMediaWithoutMetadata(tx, rootId, MAX_TREATED_AS_NEW);
  if (files.length > 0) await entryEvents.runFilesAdded(tx, await resolvePaths(tx, files));
}
