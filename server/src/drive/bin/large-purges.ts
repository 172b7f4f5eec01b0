import type { Blobs } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import { type Drives, releaseUsage } from '../../drives/drives.ts';
import { isLargeTree } from '../entries/subtree-queries.ts';
import {
  countUsesInRange,
  deleteLeavesInRange,
  deleteMarkedRoot,
  findMarkedRoots,
  findStartOfBatch,
  markPurged,
  sumKeptInRange,
} from './purge-queries.ts';

/** Deleting an entry takes about 50 microseconds. Meanwhile, no one else can write to a SQLite database. */
const BATCH_SIZE = 2_000;

/** The maximum number of trees that one run deletes. The next run finds the others. */
const MAX_ROOTS = 100;

/** Higher than any id. Each pass starts here. */
const START = Number.MAX_SAFE_INTEGER;

interface LargePurgesParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly blobs: Blobs;
}

/**
 * Deletes large trees in batches, each a transaction. The transaction that purges such a tree only marks it,
 * which removes it from the bin. If a crash interrupts the deletion, a maintenance job finishes it.
 */
export class LargePurges {
  readonly #parts: LargePurgesParts;

  constructor(parts: LargePurgesParts) {
    this.#parts = parts;
  }

  /** Marks a tree if it is too large for one transaction. Returns whether it was marked. */
  async markIfLarge(tx: Tx, rootId: number): Promise<boolean> {
    if (!(await isLargeTree(tx, rootId, BATCH_SIZE))) return false;
    await markPurged(tx, rootId);
    return true;
  }

  /**
   * Deletes the marked trees of one drive; without `driveId`, those of all drives.
   * @throws AggregateError if some could not be deleted; the others have been
   */
  async finishAll(signal: AbortSignal, driveId?: number): Promise<void> {
    const errors: unknown[] = [];
    for (const root of await findMarkedRoots(this.#parts.database.db, MAX_ROOTS, driveId)) {
      signal.throwIfAborted();
      await this.finish(root.driveId, root.id, signal).catch((error) => errors.push(error));
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} could not be purged.`);
  }

  /**
   * Deletes a marked tree. Several calls for the same tree share the work.
   *
   * A directory can be deleted only after its children. So each pass goes from the highest id to the lowest
   * and deletes the entries without children. Further passes delete the directories that have become empty,
   * until no entry is left.
   */
  async finish(driveId: number, rootId: number, signal?: AbortSignal): Promise<void> {
    let [before, deletedInPass] = [START, 0];
    for (;;) {
      signal?.throwIfAborted();
      const { from, deleted } = await this.#runBatch(driveId, rootId, before);
      deletedInPass += deleted;
      if (from !== undefined) {
        before = from;
      } else if (before === START) {
        return;
      } else {
        if (deletedInPass === 0) throw new Error(`The purged tree ${rootId} has entries of another tree.`);
        [before, deletedInPass] = [START, 0];
      }
    }
  }

  /** Returns the lowest id of the batch, undefined if it is empty, and the number of deleted entries. */
  #runBatch(driveId: number, rootId: number, before: number): Promise<{ from?: number; deleted: number }> {
    const deleteBatch = async (tx: Tx) => {
      const from = await findStartOfBatch(tx, rootId, before, BATCH_SIZE);
      if (from === undefined) {
        return { deleted: before === START ? await deleteMarkedRoot(tx, rootId) : 0, keptBytes: 0 };
      }
      const keptBytes = await sumKeptInRange(tx, rootId, { from, before });
      await this.#parts.blobs.dropReferences(tx, countUsesInRange(tx, rootId, { from, before }));
      return { from, deleted: await deleteLeavesInRange(tx, rootId, { from, before }), keptBytes };
    };
    const deleteAndRelease = async (tx: Tx) => {
      const batch = await deleteBatch(tx);
      await releaseUsage(tx, driveId, {
        bytes: 0,
        files: 0,
        entries: batch.deleted,
        keptBytes: batch.keptBytes,
      });
      return batch;
    };
    return this.#parts.drives.withDriveLock(
      { driveId, accountId: null },
      0,
      deleteAndRelease,
      async () => true,
    );
  }
}
