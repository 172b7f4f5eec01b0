// The state of the drive may be out of date without any event that says so. Events are deleted after 30 days.
// A service that was restored from a backup or reinstalled assigns ids of entries and events a second time.
import {
  CursorTooOldError,
  type EntryRecord,
  type FileEventRecord,
  type Holdall,
} from '../../../../client/src/client.ts';
import { isSameRecord } from '../rules/entries.ts';
import { toRemoteEntry } from '../state/remote-tree.ts';
import type { SyncState } from '../state/sync-state.ts';

/** Why events are missing: they are too old, or the service was replaced by another one. */
export type Loss = 'too-old' | 'replaced';

/** The event that the cursor names is not the one that was read there. */
class ReplacedServiceError extends Error {
  override readonly name = 'ReplacedServiceError';

  constructor() {
    super('The service was restored or reinstalled during the sync. Start the sync again.');
  }
}

/** Undefined if the error says nothing about lost events. */
export function lossOf(error: unknown): Loss | undefined {
  if (error instanceof ReplacedServiceError) return 'replaced';
  return error instanceof CursorTooOldError ? 'too-old' : undefined;
}

/** A mark that tells an event apart from one with the same id in another service. */
export function markOf({ createdAt, eventType, fileId }: FileEventRecord): string {
  return JSON.stringify([createdAt, eventType, fileId]);
}

/**
 * The mark of the event that a cursor names; undefined if the drive has no such event.
 * @throws HoldallError
 */
export async function findMark(
  { events }: Holdall,
  cursor: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (cursor < 1) return undefined;
  try {
    const { items } = await events.changesAfter(cursor - 1, { limit: 1, signal });
    return items[0]?.id === cursor ? markOf(items[0]) : undefined;
  } catch (error) {
    if (error instanceof CursorTooOldError) return undefined;
    throw error;
  }
}

/**
 * The events after the cursor of the state, at most one page.
 * @throws ReplacedServiceError; HoldallError: `CursorTooOldError`
 */
export async function readAfterCursor(
  { events }: Holdall,
  { cursor = 0, mark }: Pick<SyncState, 'cursor' | 'mark'>,
  signal: AbortSignal,
) {
  if (mark === undefined) return await events.changesAfter(cursor, { signal });
  // The page includes the known event, so its mark is checked without a further request.
  const page = await events.changesAfter(cursor - 1, { signal });
  const [known, ...items] = page.items;
  if (known?.id !== cursor || markOf(known) !== mark) throw new ReplacedServiceError();
  return { ...page, items };
}

/**
 * Deletes the bases that may belong to another entry, so that the files on this computer stay. A missing or
 * older entry may have been lost with the service, and its id may now belong to another entry.
 * @param listed what the drive has
 */
export function deleteDoubtfulBases(
  state: SyncState,
  listed: ReadonlyMap<string, EntryRecord>,
  loss: Loss,
): void {
  for (const [path, base] of [...state.base]) {
    const found = listed.get(path);
    const isKept =
      found?.id === base.id &&
      // A newer record from another service does not win over the synced one, because that service may never
      // have had the synced one.
      (loss === 'replaced'
        ? isSameRecord(base, toRemoteEntry(found))
        : Date.parse(found.updatedAt) >= Date.parse(base.updatedAt) &&
          Date.parse(found.createdAt) <= Date.parse(base.updatedAt));
    if (!isKept) state.deleteBase(path);
  }
}
