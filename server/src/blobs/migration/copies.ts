import type { Clock } from '../../base/clock.ts';
import { mapConcurrently } from '../../base/concurrency/map-concurrently.ts';
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

/**
 * Locks the task in the transaction. Throws if the caller no longer runs it, so that the transaction is
 * rolled back.
 */
export type LockTask = (tx: Tx) => Promise<void>;

/** The size of a page, which is copied again after a crash. A single object may exceed the bytes. */
export interface PageSize {
  readonly objects: number;
  readonly bytes: number;
}

const PAGE: PageSize = { objects: 100, bytes: 256 * 1024 ** 2 };

/**
 * Copying a small object takes the latency of the store and not its bandwidth, so several are copied
 * concurrently.
 */
const CONCURRENT_COPIES = 4;

const COUNT_BATCH = 5_000;
const DELETE_BATCH = 500;

interface CopiedPage {
  /** The last blob of the page: the next page begins after it. */
  readonly lastId: number;
  readonly copied: ObjectTotals;
  /** Blobs that were deleted while they were copied. */
  readonly gone: ObjectTotals;
}

interface PageOptions {
  readonly lockTask: LockTask;
  readonly signal: AbortSignal;
  /** Called with the number of bytes of a copy that were verified; negative when a copy is repeated. */
  readonly onBytes: (count: number) => void;
}

interface MigrationCopiesParts {
  readonly database: Pick<Database, 'db' | 'transact' | 'readLong'>;
  readonly policies: Pick<Policies, 'getStore'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly page?: PageSize;
}

/** Copies the objects of a policy migration, page by page, and records each copy. */
export class MigrationCopies {
  readonly #parts: MigrationCopiesParts;
  readonly #page: PageSize;

  constructor(parts: MigrationCopiesParts) {
    this.#parts = parts;
    this.#page = parts.page ?? PAGE;
  }

  /**
   * Removes the unfinished copies of earlier attempts. Returns the totals of the finished copies and their
   * last blob.
   */
  async resume(
    migration: PolicyMigration,
    { lockTask, signal }: Pick<PageOptions, 'lockTask' | 'signal'>,
  ): Promise<ObjectTotals & { readonly lastId: number }> {
    for (;;) {
      signal.throwIfAborted();
      // Read under the lock: a caller that has lost the task would see, and remove, copies of its successor.
      const unfinished = await this.#change(migration, lockTask, (tx) =>
        findUnfinishedCopies(tx, migration.id, DELETE_BATCH),
      );
      if (unfinished.length === 0)
        return await this.#parts.database.readLong((db) => sumCopied(db, migration.id));
      const { target } = await this.#openStores(migration);
      await target.remove(unfinished.map((copy) => copy.targetKey));
      const blobIds = unfinished.map((copy) => copy.blobId);
      await this.#change(migration, lockTask, (tx) => deleteCopies(tx, migration.id, blobIds));
    }
  }

  /**
   * Counts the blobs to copy after the blob `afterId`, and their bytes. `largest` is the size of the largest
   * blob.
   */
  async countLeft(
    migration: PolicyMigration,
    afterId: number,
    signal: AbortSignal,
  ): Promise<ObjectTotals & { readonly largest: number }> {
    let left = { objects: 0, bytes: 0, largest: 0 };
    for (let after = afterId; ; ) {
      signal.throwIfAborted();
      const page = await sumBlobsToCopy(this.#parts.database.db, migration, after, COUNT_BATCH);
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
   * Copies the next page of blobs after the blob `afterId`. Returns undefined when there are none.
   * @throws Failure `rejected` when the bytes of an object differ from its record, or the migration was
   *   abandoned
   */
  async copyPage(
    migration: PolicyMigration,
    afterId: number,
    { lockTask, signal, onBytes }: PageOptions,
  ): Promise<CopiedPage | undefined> {
    // The query may have to skip any number of blobs of other policies.
    const found = await this.#parts.database.readLong((db) =>
      findBlobsToCopy(db, migration, afterId, this.#page.objects),
    );
    const page = found.slice(0, Math.max(1, countFitting(found, this.#page.bytes)));
    const lastId = page.at(-1)?.blobId;
    if (lastId === undefined) return undefined;
    const now = this.#parts.clock.now();
    const copies = page.map((blob) => ({ ...blob, targetKey: newObjectKey(this.#parts.ids, now) }));
    await this.#change(migration, lockTask, (tx) => insertCopies(tx, migration.id, copies));
    const stores = await this.#openStores(migration);
    const outcomes = await copyConcurrently(copies, signal, (copy, stop) =>
      this.#copyUnlessGone(stores, copy, stop, onBytes),
    );
    const copied = outcomes.filter((copy) => copy !== undefined);
    const gone = copies.filter((_copy, index) => outcomes[index] === undefined);
    if (gone.length > 0) await stores.target.remove(gone.map((copy) => copy.targetKey));
    await this.#change(migration, lockTask, async (tx) => {
      await recordCopies(tx, migration.id, copied);
      await deleteCopies(
        tx,
        migration.id,
        gone.map((copy) => copy.blobId),
      );
    });
    return { lastId, copied: totalsOf(copied), gone: totalsOf(gone) };
  }

  /** Copies one object. Returns undefined when its blob was deleted or is being removed. */
  async #copyUnlessGone(
    stores: CopyStores,
    copy: BlobCopy,
    signal: AbortSignal,
    onBytes: (count: number) => void,
  ): Promise<CopiedBlob | undefined> {
    try {
      const { sha256, crc32 } = await copyObject(stores, copy, { signal, onBytes });
      return { ...copy, sha256, crc32 };
    } catch (error) {
      signal.throwIfAborted();
      if (!(await isCopyable(this.#parts.database.db, copy))) return undefined;
      throw error;
    }
  }

  async #openStores({ sourcePolicyId, targetPolicyId }: PolicyMigration): Promise<CopyStores> {
    return {
      source: await this.#parts.policies.getStore(sourcePolicyId),
      target: await this.#parts.policies.getStore(targetPolicyId),
    };
  }

  /** Runs a transaction that fails when the caller has lost the task, or the migration was abandoned. */
  async #change<T>({ id }: PolicyMigration, lockTask: LockTask, work: (tx: Tx) => Promise<T>): Promise<T> {
    return await this.#parts.database.transact(async (tx) => {
      await lockTask(tx);
      if (!(await lockActiveMigration(tx, id))) throw migrationAbandoned();
      return await work(tx);
    });
  }
}

/** The number of blobs, from the first, whose sizes add up to at most `maxBytes`. */
function countFitting(blobs: readonly SourceBlob[], maxBytes: number): number {
  let bytes = 0;
  const firstOver = blobs.findIndex((blob) => {
    bytes += blob.size;
    return bytes > maxBytes;
  });
  return firstOver < 0 ? blobs.length : firstOver;
}

function totalsOf(copies: readonly { readonly size: number }[]): ObjectTotals {
  return { objects: copies.length, bytes: copies.reduce((sum, { size }) => sum + size, 0) };
}

/** The error of an attempt whose migration was abandoned. */
export function migrationAbandoned(): Failure {
  return new Failure('rejected', 'This migration was abandoned meanwhile.');
}

/**
 * Copies several objects concurrently. The first error aborts the other copies, and is thrown once all of
 * them have ended, so that nothing is written any more.
 */
async function copyConcurrently<R>(
  copies: readonly BlobCopy[],
  signal: AbortSignal,
  copyOne: (copy: BlobCopy, signal: AbortSignal) => Promise<R>,
): Promise<readonly R[]> {
  const failure = new AbortController();
  const stop = AbortSignal.any([signal, failure.signal]);
  return await mapConcurrently(copies, CONCURRENT_COPIES, async (copy) => {
    try {
      stop.throwIfAborted();
      return await copyOne(copy, stop);
    } catch (error) {
      failure.abort(error);
      throw stop.reason;
    }
  });
}
