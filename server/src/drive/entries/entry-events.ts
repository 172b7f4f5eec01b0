import { childOf } from '../../base/text/names/logical-path.ts';
import type { Tx } from '../../database/database.ts';
import type { Events, FileEvent, FileEventType } from '../../events/events.ts';
import type { Actor, EntryWithPath } from './entry.ts';

/** A change to an entry that is recorded as an event. */
interface EntryChange {
  readonly eventType: FileEventType;
  /** The entry with its current path, or with its last path if it was deleted. */
  readonly entry: EntryWithPath;
  readonly from?: string;
  readonly to?: string;
  /** Only the actor sees the event; by default, everyone who may use the drive. */
  readonly isPrivate?: boolean;
}

/** Runs in the transaction that adds files to a drive. All files are in the same drive. */
type FilesAddedHook = (tx: Tx, files: readonly EntryWithPath[]) => Promise<void> | undefined;

/** Runs in the transaction that replaces the content of a file. Each replacement has its own id. */
type ContentReplacedHook = (tx: Tx, file: EntryWithPath, replacementId: number) => Promise<void> | undefined;

/**
 * Records events about entries, in the transaction that changes them, and runs the hooks of features built on
 * the drive.
 */
export class EntryEvents {
  readonly #events: Events;
  readonly #addedHooks: FilesAddedHook[] = [];
  readonly #contentHooks: ContentReplacedHook[] = [];

  constructor(events: Events) {
    this.#events = events;
  }

  /**
   * Calls the hook in every transaction that adds files to a drive by upload, extraction or import. Copies
   * within one drive do not count.
   */
  onFilesAdded(hook: FilesAddedHook): void {
    this.#addedHooks.push(hook);
  }

  /** Calls the hook in every transaction that replaces the content of a file, or restores a version. */
  onContentReplaced(hook: ContentReplacedHook): void {
    this.#contentHooks.push(hook);
  }

  /**
   * Must be called for files that were uploaded, extracted or imported, in the transaction that adds them.
   */
  async runFilesAdded(tx: Tx, files: readonly EntryWithPath[]): Promise<void> {
    for (const hook of this.#addedHooks) await hook(tx, files);
  }

  /** Must be called in the transaction that replaces the content of a file. */
  async runContentReplaced(tx: Tx, file: EntryWithPath, replacementId: number): Promise<void> {
    for (const hook of this.#contentHooks) await hook(tx, file, replacementId);
  }

  async record(tx: Tx, actor: Actor, change: EntryChange): Promise<void> {
    await this.#events.record(tx, [toEvent(actor, change)]);
  }

  /** Runs one statement, so the caller must not pass more entries than fit into it. */
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

function toEvent(
  actor: Actor,
  { eventType, entry: entryWithPath, from, to, isPrivate = false }: EntryChange,
): FileEvent {
  const { entry } = entryWithPath;
  return {
    driveId: actor.driveId,
    eventType,
    entryId: entry.id,
    fromPath: from ?? null,
    toPath: to ?? null,
    clientId: actor.clientId,
    actorId: actor.accountId,
    readerId: isPrivate ? actor.accountId : null,
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
