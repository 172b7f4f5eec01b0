import { childOf } from '../../base/text/logical-path.ts';
import type { Tx } from '../../database/database.ts';
import type { Events, FileEvent, FileEventType } from '../../events/events.ts';
import type { Actor, EntryWithPath } from './entry.ts';

/** Records events about entries, in the transaction that changes them. */
export class EntryEvents {
  readonly #events: Events;

  constructor(events: Events) {
    this.#events = events;
  }

  /** @param at the entry with its current path, or its last path if it was deleted */
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

  /** Takes one statement, so the caller must limit the number of entries to what fits into one. */
  recordAllCreated(tx: Tx, actor: Actor, all: readonly EntryWithPath[]): Promise<void> {
    return this.#recordAll(tx, actor, 'CREATED', all);
  }

  /** Records that the metadata of files has changed. */
  recordUpdated(tx: Tx, actor: Actor, files: readonly EntryWithPath[]): Promise<void> {
    return this.#recordAll(tx, actor, 'UPDATED', files);
  }

  /** Records the same event for each entry, with its current path as the target. */
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
