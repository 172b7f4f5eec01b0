import { childOf } from '../base/logical-path.ts';
import type { Tx } from '../database/database.ts';
import type { Events, FileEvent, FileEventType } from '../events/events.ts';
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
    await this.#events.record(tx, [toEvent(actor, eventType, at, paths)]);
  }

  created(tx: Tx, actor: Actor, at: PlacedEntry): Promise<void> {
    return this.createdAll(tx, actor, [at]);
  }

  /** In one statement: for as many as fit one. */
  async createdAll(tx: Tx, actor: Actor, all: readonly PlacedEntry[]): Promise<void> {
    await this.#events.record(
      tx,
      all.map((at) => toEvent(actor, 'CREATED', at, { to: childOf(at.parentPath, at.entry.name) })),
    );
  }
}

function toEvent(
  actor: Actor,
  eventType: FileEventType,
  { entry, parentPath }: PlacedEntry,
  paths: { from?: string; to?: string },
): FileEvent {
  return {
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
  };
}
