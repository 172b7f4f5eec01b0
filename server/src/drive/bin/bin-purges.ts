import type { Clock } from '../../base/clock.ts';
import { childOf } from '../../base/text/names/logical-path.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import { type Drives, findKeptExcess, releaseUsage } from '../../drives/drives.ts';
import type { FormerContents } from '../content/former-contents.ts';
import type { Actor } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { LargePurges } from './large-purges.ts';
import { findMarkedRoots } from './purge-queries.ts';
import {
  type BinRoot,
  countBinTreeUses,
  deleteBinTree,
  findBinRoot,
  findBinRootsUntil,
  sumKeptBytes,
} from './queries.ts';

/** The maximum number of trees that one transaction purges to make room. The next deletion continues. */
const MAX_PURGED = 200;

interface BinPurgesParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly blobs: Blobs;
  readonly formerContents: FormerContents;
  readonly entryEvents: EntryEvents;
  readonly clock: Clock;
}

/**
 * Removes trees from the recycle bin: on request, and the oldest ones to make room. The bin and the former
 * versions of files do not count against the quota, but together they may not exceed its size. To make room,
 * the oldest versions go first, then the trees that were deleted first. So a deletion always succeeds.
 */
export class BinPurges {
  readonly large: LargePurges;
  readonly #parts: BinPurgesParts;

  constructor(parts: BinPurgesParts) {
    this.#parts = parts;
    this.large = new LargePurges(parts);
  }

  /**
   * Purges a tree, in a transaction that has locked the drive. Returns false for a large tree, which is only
   * marked: `large.finish` deletes it.
   */
  async purge(tx: Tx, actor: Actor, root: BinRoot): Promise<boolean> {
    const { id } = root.entry;
    const isLarge = await this.large.markIfLarge(tx, id);
    if (!isLarge) {
      const keptBytes = await sumKeptBytes(tx, id);
      await this.#parts.blobs.dropReferences(tx, countBinTreeUses(tx, id));
      const entries = await deleteBinTree(tx, id);
      await releaseUsage(tx, actor.driveId, { bytes: 0, files: 0, entries, keptBytes });
    }
    await this.#parts.entryEvents.record(tx, actor, {
      eventType: 'PURGED',
      entry: root,
      from: childOf(root.parentPath, root.entry.name),
    });
    return !isLarge;
  }

  /** Makes room for a tree that the transaction has just moved to the bin. That tree itself stays. */
  async makeRoomFor(tx: Tx, actor: Actor, recycledId: number): Promise<void> {
    const { driveId } = actor;
    let excess = await findKeptExcess(tx, driveId);
    if (excess <= 0) return;
    // Marked trees are about to be deleted, so their bytes no longer count.
    for (const { id } of await findMarkedRoots(tx, MAX_PURGED, driveId)) excess -= await sumKeptBytes(tx, id);
    if (excess > 0) excess -= await this.#parts.formerContents.deleteOldest(tx, driveId, excess);
    if (excess <= 0) return;
    for (const { id } of await findBinRootsUntil(tx, this.#parts.clock.now(), MAX_PURGED, { driveId })) {
      const root = id === recycledId ? undefined : await findBinRoot(tx, driveId, id);
      if (root === undefined) continue;
      excess -= await sumKeptBytes(tx, id);
      await this.purge(tx, actor, root);
      if (excess <= 0) return;
    }
  }
}
