import { type Clock, DAY } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Database, Tx } from '../database/database.ts';
import type { FileEvent, StoredEvent } from './file-event.ts';
import {
  deleteEventsUpTo,
  findEventBounds,
  findEventsAfter,
  findOldestEvents,
  insertEvents,
} from './queries.ts';

export type { FileEvent, FileEventType } from './file-event.ts';

/*
 * The record of what happened in drives. The row is the truth: whoever follows a drive reads rows, in pages behind the
 * last number that they know (a cursor), and is told only that there are some.
 *
 * That is enough because an owner's numbers become visible in order. Whoever records holds the owner's drive
 * (`Accounts.withDriveLock`), takes the number after that, and lets go by committing. So when a number can be seen, every
 * smaller one of that owner can, or never will be. Of different owners that is not true, and nobody relies on it.
 *
 * What is forgotten is always everything up to some number, and the last row of all is kept. So the oldest number that is
 * left says of every cursor whether something behind it may be gone.
 */

const RETENTION_MS = 30 * DAY;
const BATCH = 1_000;

/** Says on which owner's drive something happened, and no more than that: the rest is read. */
export const FILE_EVENTS = 'file-event';

export interface StreamStart {
  /** Everything behind this number is, and will be, there to be read. */
  readonly id: number;
  /** Whether that is not what was asked for: something in between is forgotten, or the number is none of ours. */
  readonly hasGap: boolean;
}

/** Kept for 30 days. */
export class Events {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Records events of one owner in the transaction of the operation, and has those who follow told once it is durable. The
   * caller holds the owner's drive.
   */
  async record(tx: Tx, events: readonly FileEvent[]): Promise<void> {
    const last = events.at(-1);
    if (last === undefined) return;
    const id = await insertEvents(tx, events, this.#clock.now());
    const { ownerId, eventType, entryId } = last;
    this.#database.afterCommit(tx, () => {
      const word = JSON.stringify({ ownerId, id, eventType, entryId });
      this.#database.topics.publish(FILE_EVENTS, ownerId, word);
    });
  }

  /** The owner's events behind a number, in order, at most so many. */
  findAfter(ownerId: number, id: number, most: number): Promise<readonly StoredEvent[]> {
    return this.#database.readDurable((db) => findEventsAfter(db, ownerId, id, most));
  }

  /** Where somebody goes on who has seen everything up to a number; without one, where somebody begins who wants what is new. */
  async findStart(ownerId: number, seen: number | undefined): Promise<StreamStart> {
    const { oldest, newest } = await this.#findBounds(ownerId);
    if (seen === undefined) return { id: newest, hasGap: false };
    return seen >= oldest && seen <= newest ? { id: seen, hasGap: false } : { id: newest, hasGap: true };
  }

  /**
   * What happened behind the cursor, or from the oldest that is kept; at most so many.
   * @throws Failure `expired` when something behind the cursor is no longer kept, or it is none of ours
   */
  async readChanges(
    ownerId: number,
    cursor: number | undefined,
    most: number,
  ): Promise<{ events: readonly StoredEvent[]; nextCursor: number; hasMore: boolean }> {
    const { oldest, newest } = await this.#findBounds(ownerId);
    const from = cursor ?? oldest;
    if (from < oldest || from > newest) throw unknownCursor();
    const found = await this.findAfter(ownerId, from, most + 1);
    const events = found.slice(0, most);
    return { events, nextCursor: events.at(-1)?.id ?? from, hasMore: found.length > most };
  }

  /** Forgets what is past its time, in batches. */
  async deleteExpired(signal: AbortSignal): Promise<void> {
    for (let hasMore = true; hasMore && !signal.aborted; ) {
      hasMore = await this.#database.transact((tx) => this.#forgetBatch(tx));
    }
  }

  async #forgetBatch(tx: Tx): Promise<boolean> {
    const oldest = await findOldestEvents(tx, BATCH + 1);
    const before = this.#clock.now() - RETENTION_MS;
    // Never the last one: its number is needed.
    const young = oldest.slice(0, -1).findIndex(({ createdAt }) => createdAt >= before);
    const count = young === -1 ? oldest.length - 1 : young;
    const last = oldest[count - 1];
    if (last === undefined) return false;
    await deleteEventsUpTo(tx, last.id);
    return count === BATCH;
  }

  /** The smallest and the greatest cursor that the owner may have. */
  async #findBounds(ownerId: number): Promise<{ readonly oldest: number; readonly newest: number }> {
    const bounds = await this.#database.readDurable((db) => findEventBounds(db, ownerId));
    const oldest = (bounds.oldest ?? 1) - 1;
    return { oldest, newest: bounds.newest ?? oldest };
  }
}

function unknownCursor(): Failure {
  return new Failure(
    'expired',
    'What happened since this cursor is no longer kept. List the drive anew, and begin without a cursor.',
  );
}
