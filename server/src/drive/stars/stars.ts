import type { Clock } from '../../base/clock.ts';
import type { AccountInDrive, AccountInDrives } from '../../base/domain/drives.ts';
import { Failure } from '../../base/failure.ts';
import type { Page, PageRequest } from '../../base/page.ts';
import { childOf } from '../../base/text/names/logical-path.ts';
import type { Database, Tx } from '../../database/database.ts';
import { deleteRowsOf } from '../../database/owned-rows.ts';
import type { Drives } from '../../drives/drives.ts';
import type { Actor, Entry, EntryWithPath } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { getEntryWithPath, resolvePaths } from '../entries/live-entries.ts';
import { isLargeDatabase } from '../entries/long-work.ts';
import { deleteStar, deleteStarsOf, findStarredPage, hasStar, insertStar } from './queries.ts';

/** Every member can set stars, even one who may not change the drive, and nobody's quota pays for them. */
const MAX_IN_SHARED_DRIVE = 10_000;

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
  readonly #maxInSharedDrive: number;

  /** @param maxInSharedDrive the maximum number of stars of an account in a shared drive; tests can lower it */
  constructor(parts: StarsParts, maxInSharedDrive = MAX_IN_SHARED_DRIVE) {
    this.#parts = parts;
    this.#maxInSharedDrive = maxInSharedDrive;
  }

  /** The live entries of a drive that the account has starred, the newest stars first. */
  async list(owner: AccountInDrive, page: PageRequest, signal?: AbortSignal): Promise<Page<EntryWithPath>> {
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
   * @throws Failure `not-found`; `over-limit` if the account has too many stars in a shared drive
   */
  set(actor: Actor & { readonly accountId: number }, id: number, isStarred: boolean): Promise<EntryWithPath> {
    const { accountId } = actor;
    return this.#parts.drives.withDriveLock(actor, 0, async (tx: Tx) => {
      const { entry, parentPath } = await getEntryWithPath(tx, actor.driveId, id);
      const marked = { parentPath, entry: { ...entry, isStarred } };
      if ((entry.isStarred && (await hasStar(tx, id, accountId))) === isStarred) return marked;
      if (isStarred) await this.#insert(tx, entry, accountId);
      else await deleteStar(tx, entry, accountId);
      await this.#parts.entryEvents.record(tx, actor, {
        ...{ eventType: 'UPDATED', entry: marked, isPrivate: true },
        to: childOf(parentPath, entry.name),
      });
      return marked;
    });
  }

  /** Deletes the stars of an account in shared drives of which it is no longer a member. */
  deleteOfMember(tx: Tx, former: AccountInDrives): Promise<void> {
    return deleteStarsOf(tx, former);
  }

  /** Deletes the stars of an account that is being deleted. */
  deleteAllOf(accountId: number, signal: AbortSignal): Promise<void> {
    return deleteRowsOf(this.#parts.database, 'star', accountId, signal);
  }

  async #insert(tx: Tx, entry: Entry, accountId: number): Promise<void> {
    const limit = { accountId, maxStars: this.#maxInSharedDrive };
    if (await insertStar(tx, entry, limit, this.#parts.clock.now())) return;
    throw new Failure('over-limit', `You can have at most ${limit.maxStars} stars in a shared drive.`);
  }
}
