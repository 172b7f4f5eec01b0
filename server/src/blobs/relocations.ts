import type { Clock, Instant } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import type { Database, Db, Tx } from '../database/database.ts';
import type { Policies } from '../policies/policies.ts';
import { type CopyStores, copyObject } from './object-copy.ts';
import { newObjectKey } from './object-key.ts';
import type { OnFault } from './object-removal.ts';
import { type LeftMoves, removeLeftMoves } from './relocation-leftovers.ts';
import {
  type BlobMove,
  type CopiedBlob,
  deleteMoves,
  deleteRelocation,
  type Extent,
  endCopying,
  findCopying,
  findMovable,
  findMovedKeys,
  findToClean,
  findUnfinishedMoves,
  holdCopying,
  insertMoves,
  insertRelocation,
  isMovable,
  type MovableBlob,
  type Relocation,
  recordCopies,
  sumCopied,
  sumMovable,
} from './relocation-queries.ts';
import type { ObjectClaims } from './sweeper.ts';
import { switchBlobs } from './switch-queries.ts';

export type { Extent, Relocation };

/** Ends a transaction of somebody who has lost the task. */
export type Hold = (tx: Tx) => Promise<void>;

interface PageSize {
  readonly objects: number;
  readonly bytes: number;
}

const PAGE: PageSize = { objects: 100, bytes: 256 * 1024 ** 2 };

/** A small object costs the store's and the disk's time to answer, not its bytes. */
const COPIES_AT_ONCE = 4;

const COUNT_BATCH = 5_000;
const SWITCH_BATCH = 1_000;
const BATCH = 500;

export interface CopiedPage {
  /** Goes on behind this blob. */
  readonly lastId: number;
  readonly copied: Extent;
  /** Removed by their owners meanwhile. */
  readonly gone: Extent;
}

export interface PageOptions {
  readonly hold: Hold;
  readonly signal: AbortSignal;
  /** Hears of bytes whose copy was read. */
  readonly onBytes: (count: number) => void;
}

/**
 * Moves the blobs of one storage policy to another, in three steps:
 *
 * 1. Every object gets a copy under a new key, in pages. A row names the copy before its first byte is written, so that it
 *    is never lost sight of; the row says so when the copy was read again and is right. Whoever comes after a death goes
 *    on behind the last page. No blob has changed yet.
 * 2. One transaction lets all of them lie where their copies are.
 * 3. The old objects are removed after the grace time. Until then everybody who was told an old place finds it.
 *
 * Given up before the second step, the copies are removed instead. What is named by the rows is claimed: no sweep takes
 * it. What was stored after the first step began stays where it is. There is one at a time.
 */
export class Relocations implements ObjectClaims {
  readonly #database: Pick<Database, 'db' | 'transact'>;
  readonly #policies: Pick<Policies, 'getStore' | 'find'>;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #graceMs: number;
  readonly #onFault: OnFault;
  readonly #page: PageSize;

  constructor(parts: {
    database: Pick<Database, 'db' | 'transact'>;
    policies: Pick<Policies, 'getStore' | 'find'>;
    clock: Clock;
    ids: Ids;
    /** How long old objects stay. */
    graceMs: number;
    onFault: OnFault;
    /** What a death may cost is done again: so many objects, or the one that alone has more bytes. */
    page?: PageSize;
  }) {
    this.#database = parts.database;
    this.#policies = parts.policies;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#graceMs = parts.graceMs;
    this.#onFault = parts.onFault;
    this.#page = parts.page ?? PAGE;
  }

  /** The one that is under way. */
  findCopying(db: Db): Promise<Relocation | undefined> {
    return findCopying(db);
  }

  /**
   * Begins it, or takes up what an earlier attempt of the task has begun.
   * @throws Failure `rejected` while another one is under way
   */
  async begin(
    plan: Pick<Relocation, 'taskId' | 'sourcePolicyId' | 'targetPolicyId'>,
    hold: Hold,
  ): Promise<Relocation> {
    return await this.#database.transact(async (tx) => {
      await hold(tx);
      const standing = await findCopying(tx);
      if (standing?.taskId === plan.taskId) return standing;
      const begun = standing ? undefined : await insertRelocation(tx, plan, this.#clock.now());
      if (begun !== undefined) return begun;
      throw new Failure(
        'rejected',
        'Another migration of storage policies has not ended. One runs at a time.',
      );
    });
  }

  /** What earlier attempts have copied. What they were at when they died is removed. */
  async resume(
    relocation: Relocation,
    { hold, signal }: Pick<PageOptions, 'hold' | 'signal'>,
  ): Promise<Extent & { readonly lastId: number }> {
    for (;;) {
      signal.throwIfAborted();
      const unfinished = await findUnfinishedMoves(this.#database.db, relocation.id, BATCH);
      if (unfinished.length === 0) return await sumCopied(this.#database.db, relocation.id);
      const { target } = await this.#openStores(relocation);
      await target.remove(unfinished.map((move) => move.targetKey));
      const blobIds = unfinished.map((move) => move.blobId);
      await this.#change(relocation, hold, (tx) => deleteMoves(tx, relocation.id, blobIds));
    }
  }

  /** What is to be copied behind the blob, and the largest of it. */
  async countLeft(
    relocation: Relocation,
    afterId: number,
    signal: AbortSignal,
  ): Promise<Extent & { readonly largest: number }> {
    let left = { objects: 0, bytes: 0, largest: 0 };
    for (let after = afterId; ; ) {
      signal.throwIfAborted();
      const page = await sumMovable(this.#database.db, relocation, after, COUNT_BATCH);
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
    relocation: Relocation,
    afterId: number,
    { hold, signal, onBytes }: PageOptions,
  ): Promise<CopiedPage | undefined> {
    const found = await findMovable(this.#database.db, relocation, afterId, this.#page.objects);
    const page = found.slice(0, Math.max(1, countFitting(found, this.#page.bytes)));
    const lastId = page.at(-1)?.blobId;
    if (lastId === undefined) return undefined;
    const now = this.#clock.now();
    const moves = page.map((blob) => ({ ...blob, targetKey: newObjectKey(this.#ids, now) }));
    await this.#change(relocation, hold, (tx) => insertMoves(tx, relocation.id, moves));
    const stores = await this.#openStores(relocation);
    const copied: CopiedBlob[] = [];
    const gone: BlobMove[] = [];
    await forEachOf(moves, signal, async (move, ending) => {
      const copy = await this.#copyUnlessGone(stores, move, ending, onBytes);
      if (copy === undefined) gone.push(move);
      else copied.push(copy);
    });
    if (gone.length > 0) await stores.target.remove(gone.map((move) => move.targetKey));
    await this.#change(relocation, hold, async (tx) => {
      await recordCopies(tx, relocation.id, copied);
      await deleteMoves(
        tx,
        relocation.id,
        gone.map((move) => move.blobId),
      );
    });
    return { lastId, copied: extentOf(copied), gone: extentOf(gone) };
  }

  /**
   * Lets all blobs that were copied lie at the target, in one transaction together with the caller's end of it.
   * @param end gets what was moved
   * @throws Failure `rejected` when the target was disabled meanwhile, or this was given up
   */
  async switchAll(
    relocation: Relocation,
    signal: AbortSignal,
    end: (tx: Tx, moved: Extent) => Promise<void>,
  ): Promise<void> {
    await this.#database.transact(async (tx) => {
      const cleanAfter = this.#clock.now() + this.#graceMs;
      if (!(await endCopying(tx, relocation.id, 'SWITCHED', cleanAfter))) throw givenUp();
      let moved = { objects: 0, bytes: 0 };
      for (let after = 0; ; ) {
        signal.throwIfAborted();
        const batch = await switchBlobs(tx, relocation, after, SWITCH_BATCH);
        if (batch === undefined) break;
        if (batch.differing !== undefined) {
          throw new Failure('rejected', `The bytes of the blob ${batch.differing} are not what was stored.`);
        }
        moved = add(moved, batch);
        after = batch.lastId;
      }
      // Asked last: who disables it from now on does so after the end.
      const target = await this.#policies.find(tx, relocation.targetPolicyId);
      if (target?.isEnabled !== true)
        throw new Failure('rejected', 'The target policy was disabled meanwhile.');
      await end(tx, moved);
    });
  }

  /**
   * Gives it up: nothing of it counts any more, and its copies are left to remove. False when it has ended already.
   * @param mayStill is asked in the transaction; false lets it be
   */
  async abandon(taskId: number, mayStill: (tx: Tx) => Promise<boolean>): Promise<boolean> {
    return await this.#database.transact(async (tx) => {
      if (!(await mayStill(tx))) return false;
      const standing = await findCopying(tx);
      if (standing?.taskId !== taskId) return false;
      return await endCopying(tx, standing.id, 'ABANDONED', this.#clock.now());
    });
  }

  /**
   * Removes what ended ones have left, once its time has come. What cannot be removed is told, and left for the next time.
   * Gives how many objects went. Fails only when the signal ends it, or the database is away.
   */
  async removeLeft(signal: AbortSignal): Promise<number> {
    let removed = 0;
    for (const relocation of await findToClean(this.#database.db, this.#clock.now())) {
      const left: LeftMoves = {
        ...relocation,
        database: this.#database,
        getStore: (id) => this.#policies.getStore(id),
      };
      removed += await removeLeftMoves(left, { signal, onFault: this.#onFault });
      await this.#database.transact((tx) => deleteRelocation(tx, relocation.id));
    }
    return removed;
  }

  async findClaimedKeys(db: Db, keys: readonly string[]): Promise<readonly string[]> {
    return keys.length === 0 ? [] : await findMovedKeys(db, keys);
  }

  /** Rows go after their objects, or when a blob has taken them. */
  async findOldest(): Promise<Instant | undefined> {
    return undefined;
  }

  async #copyUnlessGone(
    stores: CopyStores,
    move: BlobMove,
    signal: AbortSignal,
    onBytes: (count: number) => void,
  ): Promise<CopiedBlob | undefined> {
    try {
      const { sha256, crc32 } = await copyObject(stores, move, { signal, onBytes });
      return { ...move, sha256, crc32 };
    } catch (error) {
      signal.throwIfAborted();
      if (!(await isMovable(this.#database.db, move))) return undefined;
      throw error;
    }
  }

  async #openStores({ sourcePolicyId, targetPolicyId }: Relocation): Promise<CopyStores> {
    return {
      source: await this.#policies.getStore(sourcePolicyId),
      target: await this.#policies.getStore(targetPolicyId),
    };
  }

  async #change({ id }: Relocation, hold: Hold, work: (tx: Tx) => Promise<void>): Promise<void> {
    await this.#database.transact(async (tx) => {
      await hold(tx);
      if (!(await holdCopying(tx, id))) throw givenUp();
      await work(tx);
    });
  }
}

function countFitting(blobs: readonly MovableBlob[], most: number): number {
  let bytes = 0;
  const over = blobs.findIndex((blob) => {
    bytes += blob.size;
    return bytes > most;
  });
  return over < 0 ? blobs.length : over;
}

function extentOf(moves: readonly { readonly size: number }[]): Extent {
  return { objects: moves.length, bytes: moves.reduce((sum, { size }) => sum + size, 0) };
}

function add(one: Extent, other: Extent): Extent {
  return { objects: one.objects + other.objects, bytes: one.bytes + other.bytes };
}

function givenUp(): Failure {
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
