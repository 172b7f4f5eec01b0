import { childOf } from '../../base/text/names/logical-path.ts';
import type { Tx } from '../../database/database.ts';
import type { Events, FileEvent, FileEventType } from '../../events/events.ts';
import type { Actor, EntryWithPath } from './entry.ts';

/** A change to an entry that has an event. */
export interface EntryChange {
  readonly eventType: FileEventType;
  /** The entry with its current path, or with its last path if it was deleted. */
  readonly entry: EntryWithPath;
  readonly from?: string;
  readonly to?: string;
}

/** Records events about entries, in the transaction that changes them. */
export class EntryEvents {
  readonly #events: Events;

  constructor(events: Events) {
    this.#events = events;
  }

  async record(tx: Tx, actor: Actor, change: EntryChange): Promise<void> {
    await this.#events.record(tx, [toEvent(actor, change)]);
  }

  /**
   * Checks that nothing has happened in the drive since the cursor, in a transaction that has locked the
   * drive.
   * @throws Failure `precondition` unless the cursor is that of the newest event of the drive
   */
  async checkNewest(tx: Tx, ownerId: number, cursor: number): Promise<void> {
    await this.#events.checkNewest(tx, ownerId, cursor);
  }

  /** Takes one statement, so the caller must limit the number of entries to what fits into one. */
  recordCreated(tx: Tx, actor: Actor, created: readonly EntryWithPath[]): Promise<void> {
    return this.#recordAll(tx, actor, 'CREATED', created);
  }

  /** Records that the metadata of files has changed. */
  recordUpdated(tx: Tx, actor: Actor, files: readonly EntryWithPath[]): Promise<void> {
    return this.#recordAll(tx, actor, 'UPDATED', files);
  }

  /** Records the same event for each entry, with its current path as the target. */
  #recordAll(tx: Tx, actor: Actor, eventType: FileEventType, all: readonly EntryWithPath[]): Promise<void> {
    return this.#events.record(
      tx,
      all.map((entry) => toEvent(actor, { eventType, entry, to: pathOf(entry) })),
    );
  }
}

function toEvent(actor: Actor, { eventType, entry: entryWithPath, from, to }: EntryChange): FileEvent {
  const { entry } = entryWithPath;
  return {
    ownerId: actor.ownerId,
    eventType,
    entryId: entry.id,
    fromPath: from ?? null,
    toPath: to ?? null,
    clientId: actor.clientId,
    payload: {
      filename: entry.name,
      path: pathOf(entryWithPath),
      directory: entry.isDirectory,
      size: entry.size,
      contentType: entry.contentType,
      ...(actor.sender !== undefined && { sender: actor.sender }),
    },
  };
}

function pathOf({ entry, parentPath }: EntryWithPath): string {
  return childOf(parentPath, entry.name);
}
