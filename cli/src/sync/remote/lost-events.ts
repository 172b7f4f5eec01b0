// What the sync knows of the drive may be out of date in a way that no event tells: events are kept for 30 days, and
// a service that was restored from a backup or installed anew gives the ids of entries and of events out again.
import {
  CursorTooOldError,
  type EntryRecord,
  type FileEventRecord,
  type Holdall,
} from '../../../../client/src/client.ts';
import { isSameRecord } from '../rules/entries.ts';
import { toRemoteEntry } from '../state/remote-tree.ts';
import type { SyncState } from '../state/sync-state.ts';

/** Why events are missing: they may only be too old, or another service certainly is in the place of the known one. */
export type Loss = 'too-old' | 'replaced';

/** The event that the cursor names is not the one that was read there. */
export class ReplacedServiceError extends Error {
  override readonly name = 'ReplacedServiceError';

  constructor() {
    super('The service was restored or installed anew while the sync ran. Start the sync again.');
  }
}

/** Undefined if the error says nothing about lost events. */
export function lossOf(error: unknown): Loss | undefined {
  if (error instanceof ReplacedServiceError) return 'replaced';
  return error instanceof CursorTooOldError ? 'too-old' : undefined;
}

/** Tells an event from the one of another service that has the same id. */
export function markOf({ createdAt, eventType, fileId }: FileEventRecord): string {
  return JSON.stringify([createdAt, eventType, fileId]);
}

/** The mark of the event that a cursor names; undefined if the drive has no such event. @throws HoldallError */
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
  // With the known event itself, which takes no request more.
  const page = await events.changesAfter(cursor - 1, { signal });
  const [known, ...items] = page.items;
  if (known?.id !== cursor || markOf(known) !== mark) throw new ReplacedServiceError();
  return { ...page, items };
}

/**
 * Deletes the base of each entry that may not be the one that the base is about, so that what this computer has stays:
 * what is missing or older may have been lost with the service, and another entry may have the id now.
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
      // What another service has changed is not worth more than what was synced: it may know nothing of that.
      (loss === 'replaced'
        ? isSameRecord(base, toRemoteEntry(found))
        : Date.parse(found.updatedAt) >= Date.parse(base.updatedAt) &&
          Date.parse(found.createdAt) <= Date.parse(base.updatedAt));
    if (!isKept) state.deleteBase(path);
  }
}
