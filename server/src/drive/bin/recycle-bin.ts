import type { Clock, Instant } from '../../base/clock.ts';
import type { ConflictRule } from '../../base/domain/conflict-rules.ts';
import { Failure, isNotFound } from '../../base/failure.ts';
import type { Page, PageRequest } from '../../base/page.ts';
import { childOf } from '../../base/text/names/logical-path.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Drives } from '../../drives/drives.ts';
import type { Events } from '../../events/events.ts';
import type { Directories } from '../entries/directories.ts';
import { type Actor, type EntryWithPath, systemIn } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { getEntryWithPath, getLiveEntry } from '../entries/live-entries.ts';
import { changesManyEntries, longIfReplacing, MAX_SHORT_WALK } from '../entries/long-work.ts';
import type { NameConflicts } from '../entries/name-conflicts.ts';
import { placeFor } from '../entries/place.ts';
import type { BinPurges } from './bin-purges.ts';
import {
  type BinPosition,
  type BinRoot,
  findBinPage,
  findBinRoot,
  findBinRootsUntil,
  isLargeBin,
  moveFromBin,
  sumBinTree,
} from './queries.ts';
import type { Recycling } from './recycling.ts';
import { findRestorePath } from './restore-path.ts';

const BATCH_SIZE = 100;

/** A tree in the bin, by its root entry. */
export interface BinEntry extends BinRoot {
  /** When it is purged. */
  readonly expiresAt: Instant;
}

interface RecycleBinParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly purges: BinPurges;
  readonly recycling: Recycling;
  readonly conflicts: NameConflicts;
  readonly directories: Directories;
  readonly events: Events;
  readonly entryEvents: EntryEvents;
  readonly clock: Clock;
  readonly retentionMs: number;
}

/**
 * Keeps deleted entries for a retention time, during which they can be restored. A tree that was deleted as a
 * whole is one entry of the bin. Its bytes do not count against the quota, so restoring charges them like an
 * upload. Its files and directories count against the limit of entries until they are purged.
 */
export class RecycleBin {
  readonly #parts: RecycleBinParts;

  constructor(parts: RecycleBinParts) {
    this.#parts = parts;
  }

  /**
   * Moves an entry and everything below it to the bin.
   * @throws Failure `not-found`; `precondition` if something has happened in the drive since the cursor
   */
  async recycle(
    actor: Actor,
    id: number,
    {
      cursor,
      alongside,
    }: {
      /** The cursor of the newest event that the caller knows. Without it, the entry is always recycled. */
      readonly cursor?: number | undefined;
      /** Runs in the same transaction. */
      readonly alongside?: (tx: Tx, recycled: EntryWithPath) => Promise<void>;
    } = {},
  ): Promise<void> {
    const recycle = async (tx: Tx) => {
      if (cursor !== undefined) await this.#parts.events.checkNewest(tx, actor, cursor);
      const deleted = await getEntryWithPath(tx, actor.driveId, id);
      await this.#parts.recycling.recycle(tx, actor, deleted);
      await alongside?.(tx, deleted);
    };
    await this.#parts.drives.withDriveLock(actor, 0, recycle, changesManyEntries(id));
  }

  async list(driveId: number, page: PageRequest): Promise<Page<BinEntry>> {
    const { items, total } = await this.#parts.database.readBySize(
      (db) => isLargeBin(db, driveId, MAX_SHORT_WALK),
      (db) => findBinPage(db, driveId, page),
    );
    const { retentionMs } = this.#parts;
    const entries = items.map((root) => ({ ...root, expiresAt: root.deletedAt + retentionMs }));
    return { items: entries, total, page: page.page, size: page.size };
  }

  /**
   * Moves a tree back to its original path, and creates the parent directories that no longer exist.
   * @throws Failure `not-found`; `conflict` as {@link NameConflicts.resolve} and {@link findRestorePath};
   *   `over-limit` if it exceeds the quota
   */
  restore(actor: Actor, id: number, onConflict: ConflictRule = 'FAIL'): Promise<EntryWithPath> {
    const restore = async (tx: Tx) => {
      const { entry, parentPath: formerPath } = await this.#getRoot(tx, actor.driveId, id);
      const parentPath = await findRestorePath(tx, actor.driveId, formerPath, onConflict);
      const parent = await this.#parts.directories.getOrCreate(tx, actor, parentPath);
      const place = placeFor(entry, parent, parentPath);
      const name = await this.#parts.conflicts.resolve(tx, actor, place, onConflict);
      // A replaced entry has already released its bytes.
      const usage = await sumBinTree(tx, id);
      await this.#parts.drives.usage.charge(tx, actor.driveId, {
        ...usage,
        entries: 0,
        keptBytes: -usage.bytes,
      });
      await moveFromBin(tx, id, { parentId: parent.id, name, accountId: actor.accountId });
      const restored = { entry: await getLiveEntry(tx, actor.driveId, id), parentPath };
      await this.#parts.entryEvents.record(tx, actor, {
        eventType: 'RESTORED',
        entry: restored,
        to: childOf(parentPath, name),
      });
      return restored;
    };
    return this.#parts.drives.withDriveLock(
      actor,
      0,
      restore,
      longIfReplacing(onConflict, changesManyEntries(id)),
    );
  }

  /**
   * Deletes a tree of the bin permanently. The sweeper removes its bytes once nothing else refers to them. A
   * large tree disappears immediately, but is deleted in several transactions.
   * @throws Failure `not-found` if it is not in the bin, or was deleted after `deletedBefore`
   */
  async purge(actor: Actor, id: number, deletedBefore?: Instant): Promise<void> {
    if (!(await this.#purgeIfThere(actor, id, deletedBefore))) throw notInBin();
  }

  /**
   * Purges a live entry, in a transaction that has locked the drive. Nothing in the bin is purged to make
   * room for it.
   */
  async purgeInTransaction(tx: Tx, actor: Actor, removed: EntryWithPath): Promise<void> {
    await this.#parts.recycling.recycle(tx, actor, removed, { makesRoom: false });
    await this.#parts.purges.purge(tx, actor, await this.#getRoot(tx, actor.driveId, removed.entry.id));
  }

  /** Finishes interrupted purges of large trees. */
  finishPurges(signal: AbortSignal): Promise<void> {
    return this.#parts.purges.large.finishAll(signal);
  }

  /** Purges all trees that are in the drive's bin now. Trees that are deleted during the call stay. */
  async purgeAll(actor: Actor, signal?: AbortSignal): Promise<void> {
    const before = this.#parts.clock.now();
    for await (const { id } of this.#findRoots(before, actor.driveId)) {
      signal?.throwIfAborted();
      await this.#purgeIfThere(actor, id, before);
    }
  }

  /**
   * Purges the trees of all drives whose retention time is over.
   * @throws AggregateError if some could not be purged; the others have been
   */
  async purgeExpired(signal: AbortSignal): Promise<void> {
    const before = this.#parts.clock.now() - this.#parts.retentionMs;
    const errors: unknown[] = [];
    for await (const { id, driveId } of this.#findRoots(before)) {
      signal.throwIfAborted();
      await this.#purgeIfThere(systemIn(driveId), id, before).catch((error) => {
        // The whole drive may have been purged meanwhile.
        if (!isNotFound(error)) errors.push(error);
      });
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} could not be purged.`);
  }

  /** Yields each root once, whether or not the caller purges it. */
  async *#findRoots(before: Instant, driveId?: number): AsyncGenerator<BinPosition> {
    for (let after: BinPosition | undefined; ; ) {
      const roots = await findBinRootsUntil(this.#parts.database.db, before, BATCH_SIZE, { driveId, after });
      yield* roots;
      after = roots.at(-1);
      if (after === undefined) return;
    }
  }

  /**
   * Does nothing, and returns false, if the tree is not in the bin or was deleted after `deletedBefore`. Another
   * request may have restored or purged it since it was found.
   */
  async #purgeIfThere(actor: Actor, id: number, deletedBefore = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { drives, purges } = this.#parts;
    const purge = async (tx: Tx) => {
      const root = await findBinRoot(tx, actor.driveId, id);
      if (root === undefined || root.deletedAt > deletedBefore) return 'absent';
      return (await purges.purge(tx, actor, root)) ? 'purged' : 'begun';
    };
    const result = await drives.withDriveLock(actor, 0, purge, changesManyEntries(id));
    if (result === 'begun') await purges.large.finish(actor.driveId, id);
    return result !== 'absent';
  }

  async #getRoot(tx: Tx, driveId: number, id: number): Promise<BinRoot> {
    const root = await findBinRoot(tx, driveId, id);
    if (root === undefined) throw notInBin();
    return root;
  }
}

function notInBin(): Failure {
  return new Failure('not-found', 'This is not in the recycle bin.');
}
