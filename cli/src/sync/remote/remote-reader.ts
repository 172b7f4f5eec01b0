// Keeps the remote tree of the state up to date: first with one full listing, then with the events of the
// drive.
import {
  type EntryDetails,
  type FileEventRecord,
  type Holdall,
  NotFoundError,
} from '../../../../client/src/client.ts';
import { forEachConcurrently } from '../../files/for-each-concurrently.ts';
import type { RemoteEntry } from '../rules/entries.ts';
import { RemotePaths } from '../rules/remote-paths.ts';
import { toRemoteEntry } from '../state/remote-tree.ts';
import type { SyncState } from '../state/sync-state.ts';
import { applyChanges } from './apply-changes.ts';
import { deleteDoubtfulBases, findMark, type Loss, lossOf, markOf, readAfterCursor } from './lost-events.ts';
import type { PairDrive } from './pair-drive.ts';
import { RemoteListing, tooBusy } from './remote-listing.ts';

const CONCURRENCY = 8;

/** Each changed entry takes one request. Above this number, a full listing takes fewer. */
const MAX_CHANGED_ENTRIES = 5_000;

/** How many times the drive is read at most, because it keeps changing. */
const MAX_ATTEMPTS = 5;

interface RemoteReaderParts {
  readonly holdall: Holdall;
  /** Undefined for the personal drive, which is never gone. */
  readonly drive: PairDrive | undefined;
  /** The client id in the events of this process's own changes. */
  readonly clientId: string;
  readonly state: SyncState;
  readonly remoteRoot: string;
  readonly signal: AbortSignal;
}

export class RemoteReader {
  readonly paths: RemotePaths;
  readonly #parts: RemoteReaderParts;
  readonly #listing: RemoteListing;
  /** Entries whose changes by this process are already in the state, so that their events are not news. */
  readonly #settled = new Set<number>();
  /** The events after the cursor of the state, up to this one, are known to contain no news. */
  #quietCursor = 0;

  constructor(parts: RemoteReaderParts) {
    this.#parts = parts;
    this.paths = new RemotePaths(parts.remoteRoot);
    this.#listing = new RemoteListing(parts, this.paths);
  }

  /** Call it when the state contains a change that this process made. */
  settle(id: number): void {
    this.#settled.add(id);
  }

  /** Call it when it is unknown whether a change has happened. */
  unsettle(id: number): void {
    this.#settled.delete(id);
  }

  /** Reads the changes since the last update. Lists everything without a cursor, or if events were lost.
   * @returns the changed paths; undefined if all may have changed
   * @throws HoldallError
   */
  async update(): Promise<ReadonlySet<string> | undefined> {
    const { cursor } = this.#parts.state;
    // A base without a cursor comes from an earlier version of this program, which could not detect lost
    // events.
    if (cursor === undefined) return await this.#listAll('too-old');
    try {
      return await this.#applyEvents(cursor);
    } catch (error) {
      const loss = lossOf(error);
      if (loss === undefined) throw error;
      return await this.#listAll(loss);
    }
  }

  /**
   * Lists everything, as if the state had no cursor.
   * @throws HoldallError; Error with a sentence for the user
   */
  async listAgain(): Promise<void> {
    await this.#listAll(await this.#findLoss());
  }

  /**
   * The newest cursor of the drive; undefined if others have changed the entry since the last update. For a
   * directory, any change in the pair counts, because it may be below the directory.
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
      // The cursor is read first, so that no change during the listing is missed.
      const cursor = await holdall.events.newestCursor({ signal });
      const mark = await findMark(holdall, cursor, signal);
      // The newest event id of one service never decreases.
      const isReplaced = cursor < (state.cursor ?? 0);
      this.#quietCursor = 0;
      const listed = await this.#listing.listTree('');
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
    throw tooBusy(this.paths.toAbsolute(''));
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
      return applyChanges(state, [...ids], { found, below, cursor: after, mark });
    }
    throw tooBusy(this.paths.toAbsolute(''));
  }

  /** Finds out why events since the cursor were lost. Undefined if none were. @throws HoldallError */
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

  /** Whether a directory has moved since then, so that the listing may lack the entries below it. */
  async #hasMovedDirectory(cursor: number): Promise<boolean> {
    const { holdall, signal } = this.#parts;
    for await (const { eventType, payload } of holdall.events.changes(cursor, { signal })) {
      if (payload.directory && !['CREATED', 'UPDATED'].includes(eventType)) return true;
    }
    return false;
  }

  /** Whether the event is about the pair's directory itself, or about one of its parents. */
  #isAboveRoot({ fromPath, toPath, eventType, clientId, fileId }: FileEventRecord): boolean {
    if (eventType === 'UPDATED' || (clientId === this.#parts.clientId && this.#settled.has(fileId ?? 0)))
      return false;
    return [fromPath, toPath].some((path) => path !== null && this.paths.isAtOrAboveRoot(path));
  }

  #isNews({ fileId, fromPath, toPath, clientId }: FileEventRecord): boolean {
    if (fileId === null) return false;
    if (clientId === this.#parts.clientId && this.#settled.has(fileId)) return false;
    if (this.#parts.state.remote.pathOf(fileId) !== undefined) return true;
    return [fromPath, toPath].some((path) => path !== null && this.paths.toRelative(path) !== undefined);
  }

  /** Returns the current records of the entries, without those that are gone or were moved elsewhere. */
  async #findAll(ids: ReadonlySet<number>): Promise<ReadonlyMap<string, RemoteEntry>> {
    const found = new Map<string, RemoteEntry>();
    let isAnyMissing = false;
    await forEachConcurrently(ids, CONCURRENCY, async (id) => {
      const record = await this.#find(id);
      isAnyMissing ||= record === undefined;
      const path = record && this.paths.toRelative(record.path);
      if (record !== undefined && path !== undefined) found.set(path, toRemoteEntry(record));
    });
    if (isAnyMissing) await this.#parts.drive?.refresh();
    return found;
  }

  /**
   * Lists the entries below directories that are new to this tree. Undefined if one of them has moved
   * meanwhile.
   */
  async #listUnknown(
    found: ReadonlyMap<string, RemoteEntry>,
  ): Promise<ReadonlyMap<string, RemoteEntry> | undefined> {
    const below = new Map<string, RemoteEntry>();
    for (const [directory, { id, isDirectory }] of found) {
      if (!isDirectory || this.#parts.state.remote.pathOf(id) !== undefined) continue;
      const listed = await this.#listing.listTree(directory);
      if (listed === undefined) return undefined;
      for (const [path, record] of listed) below.set(path, toRemoteEntry(record));
    }
    return below;
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
}
