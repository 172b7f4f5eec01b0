import { childOf } from '../base/text/logical-path.ts';
import type { Tx } from '../database/database.ts';
import type { Events, FileEvent, FileEventType } from '../events/events.ts';
import type { Actor, PlacedEntry } from './tree/entry.ts';

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
    return this.#recordAll(tx, actor, 'CREATED', [at]);
  }

  /** In one statement: for as many as fit one. */
  createdAll(tx: Tx, actor: Actor, all: readonly PlacedEntry[]): Promise<void> {
    return this.#recordAll(tx, actor, 'CREATED', all);
  }

  /** What is written about files has changed. */
  updated(tx: Tx, actor: Actor, files: readonly PlacedEntry[]): Promise<void> {
    return this.#recordAll(tx, actor, 'UPDATED', files);
  }

  /** Of what is where it is by it. */
  #recordAll(tx: Tx, actor: Actor, eventType: FileEventType, all: readonly PlacedEntry[]): Promise<void> {
    return this.#events.record(
      tx,
      all.map((at) => toEvent(actor, eventType, at, { to: pathOf(at) })),
    );
  }
}

function toEvent(
  actor: Actor,
  eventType: FileEventType,
  at: PlacedEntry,
  paths: { from?: string; to?: string },
): FileEvent {
  const { entry } = at;
  return {
    ownerId: actor.ownerId,
    eventType,
    entryId: entry.id,
    fromPath: paths.from ?? null,
    toPath: paths.to ?? null,
    clientId: actor.clientId,
    payload: {
      filename: entry.name,
      path: pathOf(at),
      directory: entry.isDirectory,
      size: entry.size,
      contentType: entry.contentType,
    },
  };
}

function pathOf({ entry, parentPath }: PlacedEntry): string {
  return childOf(parentPath, entry.name);
}
