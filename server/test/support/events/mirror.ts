import assert from 'node:assert/strict';
import type { FileEventRecord } from '../../../src/events/contract.ts';
import type { Person } from '../app/person.ts';
import { readChanges } from './changes.ts';
import { EventReader } from './event-reader.ts';

/** What a client knows of an entry. */
interface Known {
  readonly id: number;
  readonly directory: boolean;
  readonly size: number;
}

type Told = Omit<FileEventRecord, 'id'>;

/**
 * A client that knows of a drive only what the events say. Of a directory that comes with what is in it (a copy, an import,
 * a restore) there is one event: it is listed once, and again as long as something happens meanwhile.
 */
export class Mirror {
  /** Everything up to this event is in the tree. */
  cursor: number;
  #tree: Map<string, Known>;
  /** Directories of which it is not known what is in them. */
  #unlisted: Set<string>;

  constructor(cursor = 0, tree = new Map<string, Known>(), unlisted = new Set<string>()) {
    this.cursor = cursor;
    this.#tree = tree;
    this.#unlisted = unlisted;
  }

  /** As it would be kept on a disk. */
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

  /** Follows a stream until it has brought so many events, or all up to a number; then it breaks. */
  async follow(person: Person, { most, upTo }: { most: number; upTo: number }): Promise<void> {
    if (this.cursor >= upTo) return;
    const reader = await EventReader.open(person, { headers: { 'last-event-id': String(this.cursor) } });
    const isEnough = () => {
      const events = reader.messages.slice(1);
      return events.length >= most || (events.at(-1)?.id ?? 0) >= upTo;
    };
    await reader.until(isEnough);
    reader.close();
    const [ready, ...events] = reader.messages;
    assert.equal(ready?.id, this.cursor);
    // What had come by the time it broke, or only some of it.
    for (const { id, event, data } of events.slice(0, most)) {
      assert.equal(event, data.eventType);
      this.take(id, data);
    }
  }

  /** Reads all there is, and lists what has to be. */
  async catchUp(person: Person, limit: number): Promise<void> {
    do {
      while (await this.readPage(person, limit));
      if (this.#unlisted.size === 0) return;
    } while (!(await this.#list(person)));
  }

  /** An event that came before is passed over. */
  take(id: number, event: Told): void {
    if (id <= this.cursor) return;
    this.cursor = id;
    const { eventType, fromPath, toPath } = event;
    if (eventType === 'PURGED') return;
    if (fromPath === null || eventType === 'DELETED') {
      this.#cut(fromPath ?? toPath ?? '');
      if (toPath !== null) this.#put(toPath, event);
      return;
    }
    assert.ok(toPath !== null, JSON.stringify(event));
    const moved = this.#cut(fromPath);
    this.#cut(toPath);
    const { entries, unlisted } = moved;
    // Where it came from was not listed yet: so neither is this.
    if (entries.size === 0) this.#put(toPath, event);
    for (const [path, known] of entries) this.#tree.set(toPath + path, known);
    for (const path of unlisted) this.#unlisted.add(toPath + path);
  }

  #put(path: string, { fileId, payload: { directory, size } }: Told): void {
    this.#tree.set(path, { id: fileId ?? 0, directory, size });
    if (directory) this.#unlisted.add(path);
  }

  /** Takes out what is at and below a path; gives it with its paths from there. */
  #cut(root: string): { readonly entries: ReadonlyMap<string, Known>; readonly unlisted: readonly string[] } {
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

  /** @returns whether nothing has happened since the events that are in the tree; otherwise nothing is taken over */
  async #list(person: Person): Promise<boolean> {
    const lists = await Promise.allSettled([...this.#unlisted].map((path) => person.tree(path)));
    const { items } = await readChanges(person, { cursor: this.cursor, limit: 1 });
    if (items.length > 0) return false;
    for (const list of lists) {
      // Nothing has happened, so what the events have told of must be there.
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
