import { childOf } from '../base/logical-path.ts';
import type { Tx } from '../database/database.ts';
import type { Events, FileEventType } from '../events/events.ts';
import type { Actor, PlacedEntry } from './entry.ts';

/** Writes down what an operation did to entries, in its transaction (contract, section 8). */
export class Journal {
  readonly #events: Events;

  constructor(events: Events) {
    this.#events = events;
  }

  /** @param at where the entry is now, or was last */
  async record(
    tx: Tx,
    actor: Actor,
    eventType: FileEventType,
    at: PlacedEntry,
    paths: { from?: string; to?: string },
  ): Promise<void> {
    const { entry, parentPath } = at;
    await this.#events.record(tx, [
      {
        ownerId: actor.ownerId,
        eventType,
        entryId: entry.id,
        fromPath: paths.from ?? null,
        toPath: paths.to ?? null,
        clientId: actor.clientId,
        payload: {
          filename: entry.name,
          path: childOf(parentPath, entry.name),
          directory: entry.isDirectory,
          size: entry.size,
          contentType: entry.contentType,
        },
      },
    ]);
  }

  created(tx: Tx, actor: Actor, at: PlacedEntry): Promise<void> {
    return this.record(tx, actor, 'CREATED', at, { to: childOf(at.parentPath, at.entry.name) });
  }
}
