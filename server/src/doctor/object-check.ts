import { createHash } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import { mergeJoin } from '../base/merge-join.ts';
import { ALL_DAYS, isOwnKey, type OrphanSearch } from '../blobs/blobs.ts';
import type { Database, Db } from '../database/database.ts';
import type { ObjectStore, StoredObject } from '../storage/object-store.ts';
import { findBlobByKey, findBlobsInOrder, type StoredBlob } from './blob-queries.ts';
import type { AlsoDo, Check, Fault, Progress } from './check.ts';

const PAGE = 1_000;

/** A store and the policy whose objects lie in it. */
export interface PolicyStore {
  readonly policyId: number;
  readonly store: ObjectStore;
  /** Whether all objects there are ours. Where somebody else's may lie, nothing is said to belong to nobody. */
  readonly isOurs: boolean;
}

/**
 * Every blob that something refers to has its bytes, and there are no bytes but those of blobs and of uploads that are
 * not completed. Goes through the listing of each store and the table side by side, both in the order of the keys.
 */
export class ObjectCheck implements Check {
  readonly looksAt = 'objects';
  readonly #database: Database;
  readonly #stores: readonly PolicyStore[];
  readonly #orphans: OrphanSearch;
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #isDeep: boolean;

  constructor(parts: {
    database: Database;
    stores: readonly PolicyStore[];
    orphans: OrphanSearch;
    clock: Clock;
    /** How old an object has to be that belongs to nobody. */
    graceMs: number;
    /** Reads every object and compares its SHA-256. */
    isDeep: boolean;
  }) {
    this.#database = parts.database;
    this.#stores = parts.stores;
    this.#orphans = parts.orphans;
    this.#clock = parts.clock;
    this.#graceMs = parts.graceMs;
    this.#isDeep = parts.isDeep;
  }

  async *find(signal: AbortSignal): AsyncGenerator<Progress> {
    for (const place of this.#stores) yield* this.#findIn(place, signal);
  }

  async *#findIn(place: PolicyStore, signal: AbortSignal): AsyncGenerator<Progress> {
    const silence = await this.#judgeStore(place);
    if (silence !== undefined) {
      yield { looked: 0, faults: [silence] };
      return;
    }
    let looked = 0;
    let faults: Fault[] = [];
    const blobs = blobsInOrder(this.#database.db, place.policyId);
    for await (const { left: blob, right: object } of mergeJoin(blobs, ownObjects(place.store))) {
      signal.throwIfAborted();
      looked += 1;
      const fault =
        blob === undefined
          ? this.#judgeOrphan(place, object)
          : await this.#judge(place, blob, object, signal);
      if (fault !== undefined) faults.push(fault);
      // Bytes that were read take their time, and what is told of progress is to move.
      if (looked < PAGE && !(this.#isDeep && looked >= PAGE / 100)) continue;
      yield { looked, faults };
      looked = 0;
      faults = [];
    }
    yield { looked, faults };
  }

  async lookAgain(fault: Fault, signal: AbortSignal): Promise<Fault | undefined> {
    const { place, key } = this.#placeOf(fault);
    if (fault.rule === 'store') return this.#judgeStore(place);
    if (fault.rule !== 'orphan') {
      const blob = await findBlobByKey(this.#database.db, place.policyId, key);
      return blob && (await this.#judge(place, blob, await place.store.find(key), signal));
    }
    const [unknown] = await this.#orphans.findOrphans(place.policyId, [key]);
    return unknown === undefined ? undefined : this.#judgeOrphan(place, await place.store.find(key));
  }

  isMendable({ rule }: Fault): boolean {
    return rule === 'orphan';
  }

  /** Removes what belongs to nobody. The entry goes first: an object that stays after all is found again. */
  async mend(fault: Fault, alsoDo: AlsoDo, signal: AbortSignal): Promise<boolean> {
    const { place, key } = this.#placeOf(fault);
    if (fault.rule !== 'orphan' || (await this.lookAgain(fault, signal)) === undefined) return false;
    await this.#database.transact((tx) => alsoDo(tx, fault));
    await place.store.remove([key]);
    return true;
  }

  /** Whoever names a policy may name a bucket that is not there: what lies elsewhere is looked at all the same. */
  async #judgeStore({ policyId, store }: PolicyStore): Promise<Fault | undefined> {
    try {
      for await (const _first of store.list(ALL_DAYS)) break;
      return undefined;
    } catch (error) {
      const sentence = `The store of the storage policy ${policyId} cannot be looked at: ${messageOf(error)}`;
      return { rule: 'store', subject: 'object', id: idOf(policyId, ''), sentence };
    }
  }

  #judgeOrphan({ policyId, isOurs }: PolicyStore, object: StoredObject | undefined): Fault | undefined {
    const before = this.#clock.now() - this.#graceMs;
    if (!isOurs || object === undefined || !this.#orphans.wasStoredBefore(object, before)) return undefined;
    const sentence = `The object ${object.key} (${object.size} bytes) belongs to nobody.`;
    return { rule: 'orphan', subject: 'object', id: idOf(policyId, object.key), sentence };
  }

  async #judge(
    { policyId, store }: PolicyStore,
    blob: StoredBlob,
    object: StoredObject | undefined,
    signal: AbortSignal,
  ): Promise<Fault | undefined> {
    if (!blob.isNeeded) return undefined;
    const tell = (rule: string, sentence: string): Fault => ({
      rule,
      subject: 'object',
      id: idOf(policyId, blob.key),
      sentence,
    });
    if (object === undefined) {
      return tell('missing', `The bytes of blob ${blob.id} (${blob.size}) are missing: ${blob.key}.`);
    }
    if (object.size !== blob.size) {
      return tell(
        'object-size',
        `Blob ${blob.id} has ${blob.size} bytes, its object ${blob.key} has ${object.size}.`,
      );
    }
    if (!this.#isDeep || blob.sha256 === null) return undefined;
    let sha256: string | undefined;
    try {
      sha256 = await hashObject(store, blob.key, signal);
    } catch (error) {
      signal.throwIfAborted();
      // Where it is the whole store that does not answer, looking again says so.
      return tell(
        'unreadable',
        `The object ${blob.key} of blob ${blob.id} cannot be read: ${messageOf(error)}`,
      );
    }
    if (sha256 === undefined || sha256 === blob.sha256) return undefined;
    return tell('checksum', `The object ${blob.key} of blob ${blob.id} has other bytes than were stored.`);
  }

  #placeOf(fault: Fault): { place: PolicyStore; key: string } {
    const [policyId, ...key] = String(fault.id).split(':');
    const place = this.#stores.find((each) => each.policyId === Number(policyId));
    if (place === undefined) throw new Error(`There is no store of policy ${policyId}.`);
    return { place, key: key.join(':') };
  }
}

function idOf(policyId: number, key: string): string {
  return `${policyId}:${key}`;
}

async function* blobsInOrder(db: Db, policyId: number): AsyncGenerator<StoredBlob> {
  for (let after = ''; ; ) {
    const page = await findBlobsInOrder(db, policyId, after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.key;
  }
}

/** What has another key is somebody else's. */
async function* ownObjects(store: ObjectStore): AsyncGenerator<StoredObject> {
  for await (const object of store.list(ALL_DAYS)) if (isOwnKey(object.key)) yield object;
}

/** Undefined where it is gone meanwhile. */
async function hashObject(store: ObjectStore, key: string, signal: AbortSignal): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of addAbortSignal(signal, await store.open(key))) hash.update(chunk);
  } catch (error) {
    if (error instanceof Failure && error.kind === 'not-found') return undefined;
    throw error;
  }
  return hash.digest('hex');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
