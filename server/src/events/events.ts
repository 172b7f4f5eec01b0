import { type Clock, DAY } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Database, Tx } from '../database/database.ts';
import { deleteRowsOf } from '../database/owned-rows.ts';
import { findChangesBefore, findChangesByIds, findNewestChange } from './activity-queries.ts';
import { clearActor, findEventIds } from './actor-queries.ts';
import { type FileEvent, isVisibleTo, type PastEvent, type StoredEvent } from './file-event.ts';
import {
  deleteEventsUpTo,
  findEventBounds,
  findEventsAfter,
  findOldestEvents,
  findReadersAfter,
  insertEvents,
} from './queries.ts';

export { publishDrivesChanged, publishNotified } from './account-messages.ts';
export type { FileEvent, FileEventType, PastEvent } from './file-event.ts';
export type { MessageStream, MessageWriter } from './message-writer.ts';

/*
 * The event log of all drives. Streams and clients read its rows in pages, after the last id that they know
 * (a cursor). Messages only tell that there are new rows.
 *
 * A cursor is enough because the ids of one drive become visible in order. A transaction that records an
 * event locks the drive (`Drives.withDriveLock`) before it takes the id, and releases the lock when
 * it commits. So once an id is visible, every smaller id of that drive is either visible as well or will
 * never be. This does not hold across drives, and nothing relies on that.
 *
 * Deletion by age removes all events up to some id, but never the very last event. So the oldest remaining id
 * shows for every cursor whether events after it may be missing. Deleting an account removes its events
 * anywhere in the log. That can only raise the oldest remaining id: it may invalidate another drive's cursor
 * early, but never hides a gap. Ids are never reused.
 */

const RETENTION_MS = 30 * DAY;
const BATCH = 1_000;
/** How many events one transaction reads. There is no index on the actor, which every change would write. */
const ACTOR_BATCH = 5_000;
/** The maximum number of events that only others see between a cursor and the newest event. */
const MAX_PRIVATE_EVENTS = 1_000;

/**
 * The topic for messages with the drive and the id of a new event. Subscribers then read the event itself.
 */
export const FILE_EVENTS = 'file-event';

interface StreamStart {
  /** The id after which all events can be read. */
  readonly id: number;
  /** Whether events since the requested id may be missing: some were deleted, or the id is unknown. */
  readonly hasGap: boolean;
}

interface EventsParts {
  readonly database: Database;
  readonly clock: Clock;
}

/** Records and reads file events, which are kept for 30 days. */
export class Events {
  readonly #parts: EventsParts;

  constructor(parts: EventsParts) {
    this.#parts = parts;
  }

  /**
   * Records events of one drive and one actor in the caller's transaction, which has locked the drive.
   * Publishes a message once the transaction is durable.
   */
  async record(tx: Tx, events: readonly FileEvent[]): Promise<void> {
    const last = events.at(-1);
    if (last === undefined) return;
    const id = await insertEvents(tx, events, this.#parts.clock.now());
    const { driveId, eventType, entryId } = last;
    this.#parts.database.afterCommit(tx, () => {
      const message = JSON.stringify({ driveId, id, eventType, entryId });
      this.#parts.database.topics.publish(FILE_EVENTS, driveId, message);
    });
  }

  /** The drive's events after an id, in order. */
  findAfter(driveId: number, afterId: number, limit: number): Promise<readonly StoredEvent[]> {
    return this.#parts.database.readDurable((db) => findEventsAfter(db, driveId, afterId, limit));
  }

  /** What members and visitors of a shared drive changed before an id, the newest first. */
  findChangesBefore(driveId: number, beforeId: number, limit: number): Promise<readonly PastEvent[]> {
    return findChangesBefore(this.#parts.database.db, driveId, beforeId, limit);
  }

  /** Those of these changes that are still kept, the newest first. */
  findChangesByIds(ids: readonly number[]): Promise<readonly PastEvent[]> {
    return findChangesByIds(this.#parts.database.db, ids);
  }

  /** The newest change of {@link findChangesBefore}, and whether an older event is still kept. */
  findNewestChange(
    driveId: number,
    olderId: number,
  ): Promise<{ readonly newest: number | null; readonly hasOlder: boolean }> {
    return findNewestChange(this.#parts.database.db, driveId, olderId);
  }

  /**
   * Where a stream begins: after the last event that its client has seen. If there is none, after the newest
   * event.
   */
  async findStart(driveId: number, lastSeenId: number | undefined): Promise<StreamStart> {
    const { oldest, newest } = await this.#findBounds(driveId);
    if (lastSeenId === undefined) return { id: newest, hasGap: false };
    const isKnown = lastSeenId >= oldest && lastSeenId <= newest;
    return isKnown ? { id: lastSeenId, hasGap: false } : { id: newest, hasGap: true };
  }

  /**
   * One page of events after the cursor; without a cursor, the page starts with the oldest event. It has
   * fewer events than `limit` if the account may not see some of them.
   * @throws Failure `expired` when events after the cursor were deleted, or the cursor is unknown
   */
  async readChanges(
    driveId: number,
    cursor: number | undefined,
    limit: number,
    accountId: number,
  ): Promise<{ events: readonly StoredEvent[]; nextCursor: number; hasMore: boolean }> {
    const { oldest, newest } = await this.#findBounds(driveId);
    const from = cursor ?? oldest;
    if (from < oldest || from > newest) throw unknownCursor();
    const found = await this.findAfter(driveId, from, limit + 1);
    const page = found.slice(0, limit);
    const events = page.filter((event) => isVisibleTo(event, accountId));
    return { events, nextCursor: page.at(-1)?.id ?? from, hasMore: found.length > limit };
  }

  /**
   * Must be called in a transaction that has locked the drive.
   * @param accountId whose cursor it is
   * @throws Failure `precondition` if there are events after the cursor that the account may see, or very many
   *   others, or the cursor is unknown
   */
  async checkNewest(
    tx: Tx,
    { driveId, accountId }: { readonly driveId: number; readonly accountId: number | null },
    cursor: number,
  ): Promise<void> {
    const { oldest, newest } = toBounds(await findEventBounds(tx, driveId));
    if (cursor === newest) return;
    if (cursor >= oldest && cursor < newest) {
      const readers = await findReadersAfter(tx, driveId, cursor, MAX_PRIVATE_EVENTS + 1);
      const areOfOthers = readers.every((readerId) => readerId !== null && readerId !== accountId);
      if (areOfOthers && readers.length <= MAX_PRIVATE_EVENTS) return;
    }
    throw new Failure('precondition', 'Something has changed in the drive since this cursor.');
  }

  /** Deletes events that are older than 30 days, in batches. */
  async deleteExpired(signal: AbortSignal): Promise<void> {
    for (let hasMore = true; hasMore && !signal.aborted; ) {
      hasMore = await this.#parts.database.transact((tx) => this.#deleteExpiredBatch(tx));
    }
  }

  /** Deletes the events of a drive that is being deleted. */
  deleteAllOf(driveId: number, signal: AbortSignal): Promise<void> {
    return deleteRowsOf(this.#parts.database, 'event', driveId, signal);
  }

  /** Removes an account that is being deleted, and its name, from events. Stops when the signal aborts. */
  async removeActor(accountId: number, signal: AbortSignal): Promise<void> {
    const { database } = this.#parts;
    const { first, last } = await findEventIds(database.db);
    if (first === null || last === null) return;
    for (let from = first; from <= last && !signal.aborted; from += ACTOR_BATCH) {
      await database.transact((tx) => clearActor(tx, accountId, { first: from, end: from + ACTOR_BATCH }));
    }
  }

  /** @returns whether there may be more */
  async #deleteExpiredBatch(tx: Tx): Promise<boolean> {
    const oldest = await findOldestEvents(tx, BATCH + 1);
    const before = this.#parts.clock.now() - RETENTION_MS;
    // Never deletes the last event: its id is needed for the bounds of valid cursors.
    const firstKept = oldest.slice(0, -1).findIndex(({ createdAt }) => createdAt >= before);
    const count = firstKept === -1 ? oldest.length - 1 : firstKept;
    const last = oldest[count - 1];
    if (last === undefined) return false;
    await deleteEventsUpTo(tx, last.id);
    return count === BATCH;
  }

  /** The smallest and the greatest valid cursor of the drive. */
  async #findBounds(driveId: number): Promise<Bounds> {
    return toBounds(await this.#parts.database.readDurable((db) => findEventBounds(db, driveId)));
  }
}

interface Bounds {
  readonly oldest: number;
  readonly newest: number;
}

function toBounds(found: { readonly oldest: number | null; readonly newest: number | null }): Bounds {
  const oldest = (found.oldest ?? 1) - 1;
  return { oldest, newest: found.newest ?? oldest };
}

function unknownCursor(): Failure {
  return new Failure(
    'expired',
    'The changes since this cursor are no longer available. List the drive again, and start without a cursor.',
  );
}
