import { type Clock, DAY } from '../base/clock.ts';
import type { Database, Tx } from '../database/database.ts';
import type { FileEvent } from './file-event.ts';
import { deleteEventsBefore, insertEvents } from './queries.ts';

export type { FileEvent, FileEventType } from './file-event.ts';

const RETENTION_MS = 30 * DAY;

/** The record of what happened in drives, kept for 30 days. */
export class Events {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Records events in the transaction of the operation. The caller holds the owner's drive, so the numbers of one
   * owner's events are committed in order.
   */
  record(tx: Tx, events: readonly FileEvent[]): Promise<void> {
    return insertEvents(tx, events, this.#clock.now());
  }

  async forgetOld(database: Database): Promise<void> {
    await database.transact((tx) => deleteEventsBefore(tx, this.#clock.now() - RETENTION_MS));
  }
}
