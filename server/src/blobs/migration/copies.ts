import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Policies } from '../../policies/policies.ts';
import { newObjectKey } from '../object-key.ts';
import { type CopyStores, copyObject } from './object-copy.ts';
import {
  type BlobCopy,
  type CopiedBlob,
  deleteCopies,
  findBlobsToCopy,
  findUnfinishedCopies,
  insertCopies,
  isCopyable,
  lockActiveMigration,
  type ObjectTotals,
  type PolicyMigration,
  recordCopies,
  type SourceBlob,
  sumBlobsToCopy,
  sumCopied,
} from './queries.ts';

/** Ends a transaction of somebody who has lost the task. */
export type LockTask = (tx: Tx) => Promise<void>;

/** What a death may cost is done again: so many objects, or the one that alone has more bytes. */
export interface PageSize {
  readonly objects: number;
  readonly bytes: number;
}

const PAGE: PageSize = { objects: 100, bytes: 256 * 1024 ** 2 };

/** A small object costs the store's and the disk's time to answer, not its bytes. */
const COPIES_AT_ONCE = 4;

const COUNT_BATCH = 5_000;
const BATCH = 500;

export interface CopiedPage {
  /** Goes on behind this blob. */
  readonly lastId: number;
  readonly copied: ObjectTotals;
  /** Removed by their owners meanwhile. */
  readonly gone: ObjectTotals;
}

export interface PageOptions {
  readonly lockTask: LockTask;
  readonly signal: AbortSignal;
  /** Hears of bytes whose copy was read. */
  readonly onBytes: (count: number) => void;
}

/** Makes the copies of a migration, page by page, and keeps account of them. */
export class MigrationCopies {
  readonly #database: Pick<Database, 'db' | 'transact'>;
  readonly #policies: Pick<Policies, 'getStore'>;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #page: PageSize;

  constructor(parts: {
    database: Pick<Database, 'db' | 'transact'>;
    policies: Pick<Policies, 'getStore'>;
    clock: Clock;
    ids: Ids;
    page?: PageSize;
  }) {
    this.#database = parts.database;
    this.#policies = parts.policies;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#page = parts.page ?? PAGE;
  }

  /** What earlier attempts have copied. What they were at when they died is removed. */
  async resume(
    migration: PolicyMigration,
    { lockTask, signal }: Pick<PageOptions, 'lockTask' | 'signal'>,
  ): Promise<ObjectTotals & { readonly lastId: number }> {
    for (;;) {
      signal.throwIfAborted();
      const unfinished = await findUnfinishedCopies(this.#database.db, migration.id, BATCH);
      if (unfinished.length === 0) return await sumCopied(this.#database.db, migration.id);
      const { target } = await this.#openStores(migration);
      await target.remove(unfinished.map((move) => move.targetKey));
      const blobIds = unfinished.map((move) => move.blobId);
      await this.#change(migration, lockTask, (tx) => deleteCopies(tx, migration.id, blobIds));
    }
  }

  /** What is to be copied behind the blob, and the largest of it. */
  async countLeft(
    migration: PolicyMigration,
    afterId: number,
    signal: AbortSignal,
  ): Promise<ObjectTotals & { readonly largest: number }> {
    let left = { objects: 0, bytes: 0, largest: 0 };
    for (let after = afterId; ; ) {
      signal.throwIfAborted();
      const page = await sumBlobsToCopy(this.#database.db, migration, after, COUNT_BATCH);
      if (page.lastId === null) return left;
      after = page.lastId;
      left = {
        objects: left.objects + page.objects,
        bytes: left.bytes + page.bytes,
        largest: Math.max(left.largest, page.largest),
      };
    }
  }

  /**
   * Copies the next page behind the blob; undefined when there is none.
   * @throws Failure `rejected` when an object is not what its record says
   */
  async copyPage(
    migration: PolicyMigration,
    afterId: number,
    { lockTask, signal, onBytes }: PageOptions,
  ): Promise<CopiedPage | undefined> {
    const found = await findBlobsToCopy(this.#database.db, migration, afterId, this.#page.objects);
    const page = found.slice(0, Math.max(1, countFitting(found, this.#page.bytes)));
    const lastId = page.at(-1)?.blobId;
    if (lastId === undefined) return undefined;
    const now = this.#clock.now();
    const moves = page.map((blob) => ({ ...blob, targetKey: newObjectKey(this.#ids, now) }));
    await this.#change(migration, lockTask, (tx) => insertCopies(tx, migration.id, moves));
    const stores = await this.#openStores(migration);
    const copied: CopiedBlob[] = [];
    const gone: BlobCopy[] = [];
    await forEachOf(moves, signal, async (move, ending) => {
      const copy = await this.#copyUnlessGone(stores, move, ending, onBytes);
      if (copy === undefined) gone.push(move);
      else copied.push(copy);
    });
    if (gone.length > 0) await stores.target.remove(gone.map((move) => move.targetKey));
    await this.#change(migration, lockTask, async (tx) => {
      await recordCopies(tx, migration.id, copied);
      await deleteCopies(
        tx,
        migration.id,
        gone.map((move) => move.blobId),
      );
    });
    return { lastId, copied: extentOf(copied), gone: extentOf(gone) };
  }

  async #copyUnlessGone(
    stores: CopyStores,
    move: BlobCopy,
    signal: AbortSignal,
    onBytes: (count: number) => void,
  ): Promise<CopiedBlob | undefined> {
    try {
      const { sha256, crc32 } = await copyObject(stores, move, { signal, onBytes });
      return { ...move, sha256, crc32 };
    } catch (error) {
      signal.throwIfAborted();
      if (!(await isCopyable(this.#database.db, move))) return undefined;
      throw error;
    }
  }

  async #openStores({ sourcePolicyId, targetPolicyId }: PolicyMigration): Promise<CopyStores> {
    return {
      source: await this.#policies.getStore(sourcePolicyId),
      target: await this.#policies.getStore(targetPolicyId),
    };
  }

  async #change({ id }: PolicyMigration, lockTask: LockTask, work: (tx: Tx) => Promise<void>): Promise<void> {
    await this.#database.transact(async (tx) => {
      await lockTask(tx);
      if (!(await lockActiveMigration(tx, id))) throw migrationAbandoned();
      await work(tx);
    });
  }
}

function countFitting(blobs: readonly SourceBlob[], most: number): number {
  let bytes = 0;
  const over = blobs.findIndex((blob) => {
    bytes += blob.size;
    return bytes > most;
  });
  return over < 0 ? blobs.length : over;
}

function extentOf(moves: readonly { readonly size: number }[]): ObjectTotals {
  return { objects: moves.length, bytes: moves.reduce((sum, { size }) => sum + size, 0) };
}

/** For a migration that somebody has given up. */
export function migrationAbandoned(): Failure {
  return new Failure('rejected', 'This migration was given up meanwhile.');
}

/** The first fault ends the others, and is thrown when all of them have ended: nothing is written any more then. */
async function forEachOf<T>(
  all: readonly T[],
  signal: AbortSignal,
  act: (each: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const fault = new AbortController();
  const ending = AbortSignal.any([signal, fault.signal]);
  const waiting = all.values();
  const workers = Array.from({ length: COPIES_AT_ONCE }, async () => {
    try {
      for (const each of waiting) {
        ending.throwIfAborted();
        await act(each, ending);
      }
    } catch (error) {
      fault.abort(error);
      throw ending.reason;
    }
  });
  await Promise.allSettled(workers);
  ending.throwIfAborted();
}
