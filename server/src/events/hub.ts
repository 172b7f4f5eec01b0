import type { Database } from '../database/database.ts';
import { type Events, FILE_EVENTS } from './events.ts';
import { Feed } from './feed.ts';
import { findNewestEvents } from './queries.ts';

const DRIVE_BATCH = 500;

interface EventHubParts {
  readonly database: Database;
  readonly events: Events;
  readonly onFault: (error: unknown) => void;
}

/**
 * The feeds of the drives that have open streams on this instance. When an instance sends a message that a
 * drive has a new event, the feed of that drive reads it. Messages can be lost (an instance crashed between
 * its commit and the message, or the database connection broke), so the hub also queries the newest events of
 * all feeds from time to time.
 */
export class EventHub {
  readonly #parts: EventHubParts;
  readonly #feeds = new Map<number, { readonly feed: Feed; streamCount: number }>();

  constructor(parts: EventHubParts) {
    this.#parts = parts;
    this.#parts.database.topics.subscribe(FILE_EVENTS, {
      onMessage: (message) => this.#onMessage(message),
      onReconnect: () => void this.checkForMissedEvents(),
    });
  }

  /** Returns the feed of a drive, which is notified of all new events until `leave` is called. */
  join(driveId: number): { readonly feed: Feed; readonly leave: () => void } {
    this.#parts.database.topics.connect();
    const joined = this.#feeds.get(driveId) ?? { feed: this.#newFeed(driveId), streamCount: 0 };
    this.#feeds.set(driveId, joined);
    joined.streamCount += 1;
    const leave = () => {
      joined.streamCount -= 1;
      if (joined.streamCount === 0) this.#feeds.delete(driveId);
    };
    return { feed: joined.feed, leave };
  }

  /**
   * Queries the newest events of all feeds, in case messages were lost. Reports errors instead of throwing
   * them.
   */
  async checkForMissedEvents(): Promise<void> {
    try {
      const driveIds = [...this.#feeds.keys()];
      for (let start = 0; start < driveIds.length; start += DRIVE_BATCH) {
        const batch = driveIds.slice(start, start + DRIVE_BATCH);
        const newest = await this.#parts.database.readDurable((db) => findNewestEvents(db, batch));
        for (const { driveId, id } of newest) this.#feeds.get(driveId)?.feed.noteEvent(id);
      }
    } catch (error) {
      this.#parts.onFault(error);
    }
  }

  #newFeed(driveId: number): Feed {
    return new Feed(
      (afterId, limit) => this.#parts.events.findAfter(driveId, afterId, limit),
      this.#parts.onFault,
    );
  }

  #onMessage(message: string): void {
    // Written by `Events.record`, perhaps by another version of it.
    const { driveId, id } = JSON.parse(message) as { driveId: number; id: number };
    this.#feeds.get(driveId)?.feed.noteEvent(id);
  }
}
