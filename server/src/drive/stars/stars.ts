import type { Clock } from '../../base/clock.ts';
import type { Page, PageRequest } from '../../base/page.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Drives } from '../../drives/drives.ts';
import type { Actor, EntryWithPath } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { getEntryWithPath, resolvePaths } from '../entries/live-entries.ts';
import { isLargeDatabase } from '../entries/long-work.ts';
import { findStarredPage, setStar } from './queries.ts';

interface StarsParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly entryEvents: EntryEvents;
  readonly clock: Clock;
}

/**
 * The files and directories that their owner has marked with a star. A star belongs to the entry: it stays
 * when the entry is renamed, moved, recycled or restored, and when its content is replaced. A copy has none.
 */
export class Stars {
  readonly #parts: StarsParts;

  constructor(parts: StarsParts) {
    this.#parts = parts;
  }

  /** Live entries, the newest stars first. */
  async list(driveId: number, page: PageRequest, signal?: AbortSignal): Promise<Page<EntryWithPath>> {
    const { entries, total } = await this.#parts.database.readBySize(
      isLargeDatabase,
      (db) => findStarredPage(db, driveId, page),
      signal,
    );
    const items = await resolvePaths(this.#parts.database.db, entries);
    return { items, total, page: page.page, size: page.size };
  }

  /**
   * Adds a star to a live entry, or removes it. Does nothing if the entry is in that state already.
   * `updatedAt` stays the same, so the entry does not show up among the recent ones.
   *
   * @throws Failure `not-found`
   */
  set(actor: Actor, id: number, isStarred: boolean): Promise<EntryWithPath> {
    return this.#parts.drives.withDriveLock(actor, 0, async (tx: Tx) => {
      const { entry, parentPath } = await getEntryWithPath(tx, actor.driveId, id);
      const marked = { parentPath, entry: { ...entry, isStarred } };
      if (entry.isStarred === isStarred) return marked;
      await setStar(tx, id, isStarred ? this.#parts.clock.now() : null);
      await this.#parts.entryEvents.recordUpdated(tx, actor, [marked]);
      return marked;
    });
  }
}
