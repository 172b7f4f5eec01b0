import type { Clock } from '../../base/clock.ts';
import type { Page, PageRequest } from '../../base/page.ts';
import { childOf } from '../../base/text/names/logical-path.ts';
import type { Database, Tx } from '../../database/database.ts';
import { deleteRowsOf } from '../../database/owned-rows.ts';
import type { Drives } from '../../drives/drives.ts';
import type { Actor, EntryWithPath } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { getEntryWithPath, resolvePaths } from '../entries/live-entries.ts';
import { isLargeDatabase } from '../entries/long-work.ts';
import { deleteStar, findStarredPage, hasStar, insertStar } from './queries.ts';

interface StarsParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly entryEvents: EntryEvents;
  readonly clock: Clock;
}

/**
 * The files and directories that an account has marked with a star, which nobody else sees. A star belongs to
 * the entry: it stays when the entry is renamed, moved, recycled or restored, and when its content is
 * replaced. A copy has none.
 */
export class Stars {
  readonly #parts: StarsParts;

  constructor(parts: StarsParts) {
    this.#parts = parts;
  }

  /** The live entries of a drive that the account has starred, the newest stars first. */
  async list(
    owner: { readonly driveId: number; readonly accountId: number },
    page: PageRequest,
    signal?: AbortSignal,
  ): Promise<Page<EntryWithPath>> {
    const { entries, total } = await this.#parts.database.readBySize(
      isLargeDatabase,
      (db) => findStarredPage(db, owner, page),
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
  set(actor: Actor & { readonly accountId: number }, id: number, isStarred: boolean): Promise<EntryWithPath> {
    const { accountId } = actor;
    return this.#parts.drives.withDriveLock(actor, 0, async (tx: Tx) => {
      const { entry, parentPath } = await getEntryWithPath(tx, actor.driveId, id);
      const marked = { parentPath, entry: { ...entry, isStarred } };
      if ((entry.isStarred && (await hasStar(tx, id, accountId))) === isStarred) return marked;
      if (isStarred) await insertStar(tx, entry, accountId, this.#parts.clock.now());
      else await deleteStar(tx, entry, accountId);
      await this.#parts.entryEvents.record(tx, actor, {
        ...{ eventType: 'UPDATED', entry: marked, isPrivate: true },
        to: childOf(parentPath, entry.name),
      });
      return marked;
    });
  }

  /** Deletes the stars of an account that is being deleted. */
  deleteAllOf(accountId: number, signal: AbortSignal): Promise<void> {
    return deleteRowsOf(this.#parts.database, 'star', accountId, signal);
  }
}
