import { childOf } from '../../base/text/logical-path.ts';
import type { Tx } from '../../database/database.ts';
import type { Events, FileEvent, FileEventType } from '../../events/events.ts';
import type { Actor, EntryWithPath } from './entry.ts';

/** Writes down what an operation did to entries, in its transaction (contract, section 8). */
export class EntryEvents {
  readonly #events: Events;

  constructor(events: Events) {
    this.#events = events;
  }

  /** @param at where the entry is now, or was last */
  async record(
    tx: Tx,
    actor: Actor,
    eventType: FileEventType,
    at: EntryWithPath,
    paths: { from?: string; to?: string },
  ): Promise<void> {
    await this.#events.record(tx, [toEvent(actor, eventType, at, paths)]);
  }

  recordCreated(tx: Tx, actor: Actor, at: EntryWithPath): Promise<void> {
    return this.#recordAll(tx, actor, 'CREATED', [at]);
  }

  /** In one statement: for as many as fit one. */
  recordAllCreated(tx: Tx, actor: Actor, all: readonly EntryWithPath[]): Promise<void> {
    return this.#recordAll(tx, actor, 'CREATED', all);
  }

  /** What is written about files has changed. */
  recordUpdated(tx: Tx, actor: Actor, files: readonly EntryWithPath[]): Promise<void> {
    return this.#recordAll(tx, actor, 'UPDATED', files);
  }

  /** Of what is where it is by it. */
  #recordAll(tx: Tx, actor: Actor, eventType: FileEventType, all: readonly EntryWithPath[]): Promise<void> {
    return this.#events.record(
      tx,
      all.map((at) => toEvent(actor, eventType, at, { to: pathOf(at) })),
    );
  }
}

function toEvent(
  actor: Actor,
  eventType: FileEventType,
  at: EntryWithPath,
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

function pathOf({ entry, parentPath }: EntryWithPath): string {
  return childOf(parentPath, entry.name);
}
