import { createHash } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { toError } from '../../base/errors.ts';
import { isNotFound } from '../../base/failure.ts';
import { mergeJoin } from '../../base/merge-join.ts';
import { ALL_DAYS, isOwnKey, type OrphanSearch } from '../../blobs/blobs.ts';
import type { Database, Db } from '../../database/database.ts';
import type { ObjectStore, StoredObject } from '../../storage/object-store.ts';
import type { Check, CheckProgress, Fault, OnRepair } from '../check.ts';
import { findBlobByKey, findBlobsAfter, type StoredBlob } from './queries.ts';

const PAGE_BLOBS = 1_000;
/** With `isDeep`, every object is read, which takes longer. So progress is reported more often. */
const DEEP_PROGRESS_OBJECTS = 10;

/** A storage policy and the store of its objects. */
export interface PolicyStore {
  readonly policyId: number;
  readonly store: ObjectStore;
  /**
   * Whether only this installation stores objects there. Otherwise, unknown objects are not reported as
   * orphans.
   */
  readonly isExclusive: boolean;
}

interface ObjectCheckParts {
  readonly database: Database;
  readonly stores: readonly PolicyStore[];
  readonly orphans: OrphanSearch;
  readonly clock: Clock;
  /** The minimum age of an orphan. Younger objects may belong to a request that has not committed yet. */
  readonly graceMs: number;
  /** Also reads every object and compares its SHA-256. */
  readonly isDeep: boolean;
}

/**
 * Checks that every referenced blob has its object, and that every object belongs to a blob or to something
 * else that claims it, such as an unfinished upload. Merges the listing of each store with the blob table,
 * both in key order.
 */
export class ObjectCheck implements Check {
  readonly label = 'objects';
  readonly #parts: ObjectCheckParts;

  constructor(parts: ObjectCheckParts) {
    this.#parts = parts;
  }

  async *findFaults(signal: AbortSignal): AsyncGenerator<CheckProgress> {
    for (const policyStore of this.#parts.stores) yield* this.#findIn(policyStore, signal);
  }

  async *#findIn(policyStore: PolicyStore, signal: AbortSignal): AsyncGenerator<CheckProgress> {
    const storeFault = await this.#checkStore(policyStore);
    if (storeFault !== undefined) {
      yield { checked: 0, faults: [storeFault] };
      return;
    }
    let checked = 0;
    let faults: Fault[] = [];
    const blobs = listBlobs(this.#parts.database.db, policyStore.policyId);
    for await (const { left: blob, right: object } of mergeJoin(blobs, listOwnObjects(policyStore.store))) {
      signal.throwIfAborted();
      checked += 1;
      const fault =
        blob === undefined
          ? this.#checkOrphan(policyStore, object)
          : await this.#checkBlob(policyStore, blob, object, signal);
      if (fault !== undefined) faults.push(fault);
      if (checked < (this.#parts.isDeep ? DEEP_PROGRESS_OBJECTS : PAGE_BLOBS)) continue;
      yield { checked, faults };
      checked = 0;
      faults = [];
    }
    yield { checked, faults };
  }

  async recheck(fault: Fault, signal: AbortSignal): Promise<Fault | undefined> {
    const { policyStore, key } = this.#locate(fault);
    if (fault.rule === 'store') return this.#checkStore(policyStore);
    if (fault.rule !== 'orphan') {
      const blob = await findBlobByKey(this.#parts.database.db, policyStore.policyId, key);
      return blob && (await this.#checkBlob(policyStore, blob, await policyStore.store.find(key), signal));
    }
    const [unknown] = await this.#parts.orphans.findOrphans(policyStore.policyId, [key]);
    return unknown === undefined
      ? undefined
      : this.#checkOrphan(policyStore, await policyStore.store.find(key));
  }

  /**
   * Removes orphans. `onRepair` commits first: if the removal then fails, the next run finds the object
   * again.
   */
  async repair(fault: Fault, onRepair: OnRepair, signal: AbortSignal): Promise<boolean> {
    const { policyStore, key } = this.#locate(fault);
    if (fault.rule !== 'orphan' || (await this.recheck(fault, signal)) === undefined) return false;
    const { policyId, store } = policyStore;
    const now = this.#parts.clock.now();
    const isOrphan = await this.#parts.database.transact(async (tx) => {
      const due = await this.#parts.orphans.beginRemoval(tx, policyId, [key], now);
      if (due.length > 0) await onRepair(tx, fault);
      return due.length > 0;
    });
    if (isOrphan) await store.remove([key]);
    return isOrphan;
  }

  /**
   * Checks that the store can be listed. A policy may name a bucket that does not exist. Then the other
   * stores are still checked.
   */
  async #checkStore({ policyId, store }: PolicyStore): Promise<Fault | undefined> {
    try {
      for await (const _first of store.list(ALL_DAYS)) break;
      return undefined;
    } catch (error) {
      const sentence = `The store of the storage policy ${policyId} cannot be read: ${toError(error).message}`;
      return { rule: 'store', subject: 'object', id: idOf(policyId, ''), sentence };
    }
  }

  #checkOrphan({ policyId, isExclusive }: PolicyStore, object: StoredObject | undefined): Fault | undefined {
    const before = this.#parts.clock.now() - this.#parts.graceMs;
    if (!isExclusive || object === undefined || !this.#parts.orphans.wasStoredBefore(object, before))
      return undefined;
    const sentence = `The object ${object.key} (${object.size} bytes) is not used by any blob, upload, task or migration.`;
    return { rule: 'orphan', subject: 'object', id: idOf(policyId, object.key), sentence };
  }

  async #checkBlob(
    { policyId, store }: PolicyStore,
    blob: StoredBlob,
    object: StoredObject | undefined,
    signal: AbortSignal,
  ): Promise<Fault | undefined> {
    if (!blob.isNeeded) return undefined;
    const toFault = (rule: string, sentence: string): Fault => ({
      rule,
      subject: 'object',
      id: idOf(policyId, blob.key),
      sentence,
    });
    if (object === undefined) {
      return toFault('missing', `The object ${blob.key} of blob ${blob.id} (${blob.size} bytes) is missing.`);
    }
    if (object.size !== blob.size) {
      return toFault(
        'object-size',
        `Blob ${blob.id} has ${blob.size} bytes, but its object ${blob.key} has ${object.size}.`,
      );
    }
    if (!this.#parts.isDeep || blob.sha256 === null) return undefined;
    let sha256: string | undefined;
    try {
      sha256 = await hashObject(store, blob.key, signal);
    } catch (error) {
      signal.throwIfAborted();
      // If the whole store is unreachable, the recheck fails and ends the run.
      return toFault(
        'unreadable',
        `The object ${blob.key} of blob ${blob.id} cannot be read: ${toError(error).message}`,
      );
    }
    if (sha256 === undefined || sha256 === blob.sha256) return undefined;
    return toFault(
      'checksum',
      `The object ${blob.key} of blob ${blob.id} does not have the bytes that were stored.`,
    );
  }

  #locate(fault: Fault): { policyStore: PolicyStore; key: string } {
    const [policyId, ...key] = String(fault.id).split(':');
    const policyStore = this.#parts.stores.find((each) => each.policyId === Number(policyId));
    if (policyStore === undefined) throw new Error(`There is no store of policy ${policyId}.`);
    return { policyStore, key: key.join(':') };
  }
}

function idOf(policyId: number, key: string): string {
  return `${policyId}:${key}`;
}

async function* listBlobs(db: Db, policyId: number): AsyncGenerator<StoredBlob> {
  for (let after = ''; ; ) {
    const page = await findBlobsAfter(db, policyId, after, PAGE_BLOBS);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_BLOBS) return;
    after = last.key;
  }
}

/**
 * Lists the objects whose keys have the form that Holdall creates. Other objects belong to other programs.
 */
async function* listOwnObjects(store: ObjectStore): AsyncGenerator<StoredObject> {
  for await (const object of store.list(ALL_DAYS)) if (isOwnKey(object.key)) yield object;
}

/** The SHA-256 in hex; undefined if the object has been removed meanwhile. */
async function hashObject(store: ObjectStore, key: string, signal: AbortSignal): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of addAbortSignal(signal, await store.open(key))) hash.update(chunk);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
  return hash.digest('hex');
}
