import type { Database } from '../database/database.ts';
import { type Events, FILE_EVENTS } from './events.ts';
import { Feed } from './feed.ts';
import { findNewestEvents } from './queries.ts';

const MOST_OWNERS_AT_ONCE = 500;

/**
 * The feeds of the drives that somebody here follows. Told by any instance that there is something new in a drive, it has
 * the feed read it. Words can be lost (an instance died between its commit and its word, the database connection
 * broke), so what there is is also looked up now and then, for all feeds together.
 */
export class EventHub {
  readonly #database: Database;
  readonly #events: Events;
  readonly #onFault: (error: unknown) => void;
  readonly #feeds = new Map<number, { readonly feed: Feed; followers: number }>();

  constructor(parts: { database: Database; events: Events; onFault: (error: unknown) => void }) {
    this.#database = parts.database;
    this.#events = parts.events;
    this.#onFault = parts.onFault;
    this.#database.topics.subscribe(FILE_EVENTS, {
      onMessage: (word) => this.#hear(word),
      onReconnect: () => void this.checkForMissedEvents(),
    });
  }

  /** The feed hears of everything from now on, until `leave`. */
  join(ownerId: number): { readonly feed: Feed; readonly leave: () => void } {
    this.#database.topics.connect();
    const entered = this.#feeds.get(ownerId) ?? { feed: this.#newFeed(ownerId), followers: 0 };
    this.#feeds.set(ownerId, entered);
    entered.followers += 1;
    const leave = () => {
      entered.followers -= 1;
      if (entered.followers === 0) this.#feeds.delete(ownerId);
    };
    return { feed: entered.feed, leave };
  }

  /** How many follow the owner's drive here. */
  countStreams(ownerId: number): number {
    return this.#feeds.get(ownerId)?.followers ?? 0;
  }

  /** Looks up what there is, whoever was told of it or not. */
  async checkForMissedEvents(): Promise<void> {
    try {
      const owners = [...this.#feeds.keys()];
      for (let from = 0; from < owners.length; from += MOST_OWNERS_AT_ONCE) {
        const some = owners.slice(from, from + MOST_OWNERS_AT_ONCE);
        const newest = await this.#database.readDurable((db) => findNewestEvents(db, some));
        for (const { ownerId, id } of newest) this.#feeds.get(ownerId)?.feed.noteEvent(id);
      }
    } catch (error) {
      this.#onFault(error);
    }
  }

  #newFeed(ownerId: number): Feed {
    return new Feed((behind, most) => this.#events.findAfter(ownerId, behind, most), this.#onFault);
  }

  #hear(word: string): void {
    // Written by `Events.record`, of this version or another.
    const { ownerId, id } = JSON.parse(word) as { ownerId: number; id: number };
    this.#feeds.get(ownerId)?.feed.noteEvent(id);
  }
}
