import assert from 'node:assert/strict';
import type { FileEventRecord } from '../../../src/events/contract.ts';
import type { Person } from '../app/person.ts';
import { readChanges } from './changes.ts';
import { EventReader } from './event-reader.ts';

/** What the client knows about an entry. */
interface KnownEntry {
  readonly id: number;
  readonly directory: boolean;
  readonly size: number;
}

type EventWithoutId = Omit<FileEventRecord, 'id'>;

/**
 * A client that mirrors the tree of a drive from its events. A directory that appears with its content (by a
 * copy, an import or a restore) has one event, so the client lists it, and repeats that as long as there are
 * events meanwhile.
 */
export class Mirror {
  /** Everything up to this event is in the tree. */
  cursor: number;
  #tree: Map<string, KnownEntry>;
  /** Directories whose content is unknown. */
  #unlisted: Set<string>;

  constructor(cursor = 0, tree = new Map<string, KnownEntry>(), unlisted = new Set<string>()) {
    this.cursor = cursor;
    this.#tree = tree;
    this.#unlisted = unlisted;
  }

  /** Returns a copy of the current state. */
  save(): Mirror {
    return new Mirror(this.cursor, new Map(this.#tree), new Set(this.#unlisted));
  }

  describe(): readonly string[] {
    return [...this.#tree].map(([path, known]) => `${path} ${JSON.stringify(known)}`).toSorted();
  }

  /** Reads one page. @returns whether there is more */
  async readPage(person: Person, limit: number): Promise<boolean> {
    const { items, nextCursor, hasMore } = await readChanges(person, { cursor: this.cursor, limit });
    for (const { id, ...event } of items) this.take(id, event);
    assert.equal(this.cursor, nextCursor);
    return hasMore;
  }

  /** Reads a stream until it has sent `maxEvents` events or the event `upTo`, then closes it. */
  async follow(person: Person, { maxEvents, upTo }: { maxEvents: number; upTo: number }): Promise<void> {
    if (this.cursor >= upTo) return;
    const reader = await EventReader.open(person, { headers: { 'last-event-id': String(this.cursor) } });
    const isEnough = () => {
      const events = reader.messages.slice(1);
      return events.length >= maxEvents || (events.at(-1)?.id ?? 0) >= upTo;
    };
    await reader.until(isEnough);
    reader.close();
    const [ready, ...events] = reader.messages;
    assert.equal(ready?.id, this.cursor);
    // Ignores further events, as if they were lost with the stream.
    for (const { id, event, data } of events.slice(0, maxEvents)) {
      assert.equal(event, data.eventType);
      this.take(id, data);
    }
  }

  /** Reads all events, and lists the directories whose content is unknown. */
  async catchUp(person: Person, limit: number): Promise<void> {
    do {
      while (await this.readPage(person, limit));
      if (this.#unlisted.size === 0) return;
    } while (!(await this.#list(person)));
  }

  /** Applies an event to the tree. Skips an event that was applied before. */
  take(id: number, event: EventWithoutId): void {
    if (id <= this.cursor) return;
    this.cursor = id;
    const { eventType, fromPath, toPath } = event;
    if (eventType === 'PURGED') return;
    if (fromPath === null || eventType === 'DELETED') {
      this.#remove(fromPath ?? toPath ?? '');
      if (toPath !== null) this.#put(toPath, event);
      return;
    }
    assert.ok(toPath !== null, JSON.stringify(event));
    const moved = this.#remove(fromPath);
    this.#remove(toPath);
    const { entries, unlisted } = moved;
    // Its old directory was not listed yet, so the entry is new here.
    if (entries.size === 0) this.#put(toPath, event);
    for (const [path, known] of entries) this.#tree.set(toPath + path, known);
    for (const path of unlisted) this.#unlisted.add(toPath + path);
  }

  #put(path: string, { fileId, payload: { directory, size } }: EventWithoutId): void {
    this.#tree.set(path, { id: fileId ?? 0, directory, size });
    if (directory) this.#unlisted.add(path);
  }

  /** Removes the entries at and below a path. Returns them with their paths relative to it. */
  #remove(root: string): {
    readonly entries: ReadonlyMap<string, KnownEntry>;
    readonly unlisted: readonly string[];
  } {
    const isBelow = (path: string) => path === root || path.startsWith(`${root}/`);
    const entries = [...this.#tree].filter(([path]) => isBelow(path));
    const unlisted = [...this.#unlisted].filter(isBelow);
    for (const [path] of entries) this.#tree.delete(path);
    for (const path of unlisted) this.#unlisted.delete(path);
    return {
      entries: new Map(entries.map(([path, known]) => [path.slice(root.length), known])),
      unlisted: unlisted.map((path) => path.slice(root.length)),
    };
  }

  /**
   * Lists the unlisted directories.
   * @returns false, without a change, when there were new events meanwhile
   */
  async #list(person: Person): Promise<boolean> {
    const lists = await Promise.allSettled([...this.#unlisted].map((path) => person.tree(path)));
    const { items } = await readChanges(person, { cursor: this.cursor, limit: 1 });
    if (items.length > 0) return false;
    for (const list of lists) {
      // There were no new events, so every directory that the events named must exist.
      if (list.status === 'rejected') throw list.reason;
      for (const { path, id, directory, size } of list.value) this.#tree.set(path, { id, directory, size });
    }
    this.#unlisted.clear();
    return true;
  }
}

export async function describeDrive(person: Person): Promise<readonly string[]> {
  const records = await person.tree();
  return records
    .map(({ path, id, directory, size }) => `${path} ${JSON.stringify({ id, directory, size })}`)
    .toSorted();
}
