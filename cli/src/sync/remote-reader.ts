// Keeps the remote tree of the state up to date: by one full listing, and from then on by the events of the drive.
import {
  type EntryDetails,
  type EntryRecord,
  type FileEventRecord,
  type Holdall,
  NotFoundError,
} from '../../../client/src/client.ts';
import { forEachConcurrently } from '../files/for-each-concurrently.ts';
import type { RemoteEntry } from './entries.ts';
import { deleteDoubtfulBases, findMark, type Loss, lossOf, markOf, readAfterCursor } from './lost-events.ts';
import { depthOf, isWithin } from './path-map.ts';
import { toRemoteEntry } from './remote-tree.ts';
import type { SyncState } from './sync-state.ts';

const PAGE_SIZE = 1_000;
const CONCURRENCY = 8;

/** Each changed entry takes a request; above this number a full listing takes fewer. */
const MAX_CHANGED_ENTRIES = 5_000;

/** How often a directory with several pages is listed again because something happened meanwhile. */
const MAX_ATTEMPTS = 5;

export interface RemoteReaderParts {
  readonly holdall: Holdall;
  /** The name that this process gives to its own changes. */
  readonly clientId: string;
  readonly state: SyncState;
  readonly remoteRoot: string;
  readonly signal: AbortSignal;
}

/** What an update has read. */
interface Found {
  readonly found: ReadonlyMap<string, RemoteEntry>;
  /** What is below directories that are new here. */
  readonly below: ReadonlyMap<string, RemoteEntry>;
  readonly cursor: number;
  readonly mark: string | undefined;
}

export class RemoteReader {
  readonly #parts: RemoteReaderParts;
  /** Entries whose own changes are in the state already, so that their events say nothing new. */
  readonly #settled = new Set<number>();
  /** Up to here the events after the cursor of the state are known to say nothing new. */
  #quietCursor = 0;

  constructor(parts: RemoteReaderParts) {
    this.#parts = parts;
  }

  /** To be called when a change of this process is in the state. */
  settle(id: number): void {
    this.#settled.add(id);
  }

  /** To be called when nobody knows whether a change has happened. */
  unsettle(id: number): void {
    this.#settled.delete(id);
  }

  /**
   * Reads what has happened. Without a cursor, or where events were lost, everything is listed.
   * @returns the changed paths; undefined if all may have changed
   * @throws HoldallError
   */
  async update(): Promise<ReadonlySet<string> | undefined> {
    const { cursor } = this.#parts.state;
    // A base without a cursor is of an earlier version of this program, which could not tell what was lost.
    if (cursor === undefined) return await this.#listAll('too-old');
    try {
      return await this.#applyEvents(cursor);
    } catch (error) {
      const loss = lossOf(error);
      if (loss === undefined) throw error;
      return await this.#listAll(loss);
    }
  }

  /** Lists everything, as if nobody knew what has happened. @throws HoldallError; Error with a sentence for the user */
  async listAgain(): Promise<void> {
    await this.#listAll(await this.#findLoss());
  }

  /**
   * The newest cursor of the drive; undefined if others have changed the entry since the last update. For a directory
   * any change of the pair counts: it may be below it.
   * @throws HoldallError
   */
  async findCursorWithoutNews({ id, isDirectory }: RemoteEntry): Promise<number | undefined> {
    const { holdall, state, signal } = this.#parts;
    let cursor = Math.max(this.#quietCursor, state.cursor ?? 0);
    let isQuiet = true;
    for (let hasMore = true; hasMore; ) {
      const page = await holdall.events.changesAfter(cursor, { signal });
      const news = page.items.filter((event) => this.#isNews(event) || this.#isAboveRoot(event));
      if (isDirectory ? news.length > 0 : news.some(({ fileId }) => fileId === id)) return undefined;
      isQuiet &&= news.length === 0;
      cursor = page.nextCursor;
      hasMore = page.hasMore;
      if (isQuiet) this.#quietCursor = cursor;
    }
    return cursor;
  }

  async #listAll(loss: Loss | undefined): Promise<undefined> {
    const { holdall, state, signal } = this.#parts;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      // First, so that nothing is missed that happens during the listing.
      const cursor = await holdall.events.newestCursor({ signal });
      const mark = await findMark(holdall, cursor, signal);
      // The events of one service never become fewer.
      const isReplaced = cursor < (state.cursor ?? 0);
      this.#quietCursor = 0;
      const listed = await this.#listTree('');
      if (listed === undefined || (await this.#hasMovedDirectory(cursor))) continue;
      state.transact(() => {
        for (const path of [...state.remote.entries.keys()]) {
          if (!listed.has(path)) state.remote.deleteOne(path);
        }
        for (const [path, record] of listed) {
          const entry = toRemoteEntry(record);
          const known = state.remote.entries.get(path);
          // A list has no checksums.
          const isKnown = known?.id === entry.id && known.updatedAt === entry.updatedAt;
          state.remote.set(path, isKnown ? { ...entry, sha256: known.sha256 } : entry);
        }
        const found = isReplaced ? 'replaced' : loss;
        if (found !== undefined) deleteDoubtfulBases(state, listed, found);
        state.setCursor(cursor, mark);
      });
      await this.#applyEvents(cursor);
      return undefined;
    }
    throw this.#tooBusy('');
  }

  /** Below the root; undefined if it is elsewhere. */
  toRelative(path: string): string | undefined {
    const { remoteRoot } = this.#parts;
    if (remoteRoot === '/') return path.slice(1);
    return path.startsWith(`${remoteRoot}/`) ? path.slice(remoteRoot.length + 1) : undefined;
  }

  toAbsolute(path: string): string {
    const { remoteRoot } = this.#parts;
    if (path === '') return remoteRoot;
    return remoteRoot === '/' ? `/${path}` : `${remoteRoot}/${path}`;
  }

  async #applyEvents(cursor: number): Promise<ReadonlySet<string> | undefined> {
    const { holdall, state, signal } = this.#parts;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const ids = new Set<number>();
      let after = cursor;
      let mark = state.mark;
      for (let page = await readAfterCursor(holdall, state, signal); ; ) {
        if (page.items.some((event) => this.#isAboveRoot(event))) return await this.#listAll(undefined);
        for (const event of page.items) {
          if (event.fileId !== null && this.#isNews(event)) ids.add(event.fileId);
        }
        after = page.nextCursor;
        const last = page.items.at(-1);
        if (last !== undefined) mark = markOf(last);
        if (!page.hasMore) break;
        page = await holdall.events.changesAfter(after, { signal });
      }
      if (ids.size > MAX_CHANGED_ENTRIES) return await this.#listAll(undefined);
      if (ids.size === 0) {
        if (after !== cursor) state.setCursor(after, mark);
        return new Set();
      }
      const found = await this.#findAll(ids);
      const below = await this.#listUnknown(found);
      if (below === undefined || (below.size > 0 && (await this.#hasMovedDirectory(after)))) continue;
      return this.#write([...ids], { found, below, cursor: after, mark });
    }
    throw this.#tooBusy('');
  }

  /** Whether events were lost since the cursor. Undefined if none were. @throws HoldallError */
  async #findLoss(): Promise<Loss | undefined> {
    const { holdall, state, signal } = this.#parts;
    if (state.cursor === undefined || state.mark === undefined) return 'too-old';
    try {
      await readAfterCursor(holdall, state, signal);
      return undefined;
    } catch (error) {
      const loss = lossOf(error);
      if (loss === undefined) throw error;
      return loss;
    }
  }

  /** Whether a directory has moved since then, so that a listing may lack what is below it. */
  async #hasMovedDirectory(cursor: number): Promise<boolean> {
    const { holdall, signal } = this.#parts;
    for await (const { eventType, payload } of holdall.events.changes(cursor, { signal })) {
      if (payload.directory && !['CREATED', 'UPDATED'].includes(eventType)) return true;
    }
    return false;
  }

  #tooBusy(path: string): Error {
    return new Error(`${this.toAbsolute(path)} changes too often to be listed. Try again later.`);
  }

  /** Whether the event is about the directory of the pair itself, or about one above it. */
  #isAboveRoot({ fromPath, toPath, eventType, clientId, fileId }: FileEventRecord): boolean {
    if (eventType === 'UPDATED' || (clientId === this.#parts.clientId && this.#settled.has(fileId ?? 0)))
      return false;
    return [fromPath, toPath].some(
      (path) => path !== null && isWithin(this.#parts.remoteRoot.slice(1), path.slice(1)),
    );
  }

  #isNews({ fileId, fromPath, toPath, clientId }: FileEventRecord): boolean {
    if (fileId === null) return false;
    if (clientId === this.#parts.clientId && this.#settled.has(fileId)) return false;
    if (this.#parts.state.remote.pathOf(fileId) !== undefined) return true;
    return [fromPath, toPath].some((path) => path !== null && this.toRelative(path) !== undefined);
  }

  /** How the entries are now, without those that are gone or elsewhere. */
  async #findAll(ids: ReadonlySet<number>): Promise<ReadonlyMap<string, RemoteEntry>> {
    const found = new Map<string, RemoteEntry>();
    await forEachConcurrently(ids, CONCURRENCY, async (id) => {
      const record = await this.#find(id);
      const path = record && this.toRelative(record.path);
      if (record !== undefined && path !== undefined) found.set(path, toRemoteEntry(record));
    });
    return found;
  }

  /** What is below directories that are new here. Undefined if one of them has moved meanwhile. */
  async #listUnknown(
    found: ReadonlyMap<string, RemoteEntry>,
  ): Promise<ReadonlyMap<string, RemoteEntry> | undefined> {
    const below = new Map<string, RemoteEntry>();
    for (const [directory, { id, isDirectory }] of found) {
      if (!isDirectory || this.#parts.state.remote.pathOf(id) !== undefined) continue;
      const listed = await this.#listTree(directory);
      if (listed === undefined) return undefined;
      for (const [path, record] of listed) below.set(path, toRemoteEntry(record));
    }
    return below;
  }

  /** Writes what was found to the state, together with the cursor. Returns the changed paths. */
  #write(ids: readonly number[], { found, below, cursor, mark }: Found): ReadonlySet<string> {
    const { state } = this.#parts;
    const { remote } = state;
    const changed = new Set<string>([...found.keys(), ...below.keys()]);
    const stays = new Set([...found].flatMap(([path, { id }]) => (remote.pathOf(id) === path ? [id] : [])));
    state.transact(() => {
      // First everything that left its place, the deepest first, so that each takes its own tree along.
      const left = ids.flatMap((id) => {
        const path = stays.has(id) ? undefined : remote.pathOf(id);
        return path === undefined ? [] : [{ id, path }];
      });
      const trees = new Map<number, readonly (readonly [string, RemoteEntry])[]>();
      for (const { id, path } of left.toSorted((a, b) => depthOf(b.path) - depthOf(a.path))) {
        const tree = remote.takeTree(path);
        trees.set(id, tree);
        for (const [relative] of tree) changed.add(path + relative);
      }
      for (const [path, entry] of [...found].toSorted(([a], [b]) => depthOf(a) - depthOf(b))) {
        for (const [relative, moved] of trees.get(entry.id) ?? []) {
          remote.set(path + relative, moved);
          changed.add(path + relative);
        }
      }
      for (const [path, entry] of below) remote.set(path, entry);
      // What was asked for is newer than what was carried along or listed.
      for (const [path, entry] of found) remote.set(path, entry);
      state.setCursor(cursor, mark);
    });
    return changed;
  }

  async #find(id: number): Promise<EntryDetails | undefined> {
    const { holdall, signal } = this.#parts;
    try {
      return await holdall.drive.get(id, { signal });
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  /**
   * Everything below a directory; nothing if there is no root.
   * @returns undefined if a directory has disappeared meanwhile
   */
  async #listTree(top: string): Promise<ReadonlyMap<string, EntryRecord> | undefined> {
    const found = new Map<string, EntryRecord>();
    let hasLost = false;
    for (let level: readonly string[] = [top]; level.length > 0; ) {
      const next: string[] = [];
      await forEachConcurrently(level, CONCURRENCY, async (directory) => {
        const records = await this.#listDirectory(directory);
        hasLost ||= records === undefined && directory !== '';
        for (const record of records ?? []) {
          const path = this.toRelative(record.path);
          if (path === undefined) continue;
          found.set(path, record);
          if (record.directory) next.push(path);
        }
      });
      level = next;
    }
    return hasLost ? undefined : found;
  }

  /**
   * A directory with several pages is listed until two listings are equal: an entry that disappears moves the others
   * to other pages, where they would be missed. Undefined if it does not exist.
   */
  async #listDirectory(directory: string): Promise<readonly EntryRecord[] | undefined> {
    let before: string | undefined;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const records = await this.#readPages(directory);
      if (records === undefined || records.length < PAGE_SIZE) return records;
      const ids = records.map(({ id }) => id).join();
      if (ids === before) return records;
      before = ids;
    }
    throw this.#tooBusy(directory);
  }

  async #readPages(directory: string): Promise<readonly EntryRecord[] | undefined> {
    const { holdall, signal } = this.#parts;
    const options = { pageSize: PAGE_SIZE, sort: 'name', signal } as const;
    try {
      return await holdall.drive.list(this.toAbsolute(directory), options).toArray();
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }
}
