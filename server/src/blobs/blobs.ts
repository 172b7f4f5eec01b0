import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { ByteRange } from '../base/bytes/byte-range.ts';
import type { ByteDigest } from '../base/bytes/byte-streams.ts';
import { expectRecorded } from '../base/bytes/recorded-object.ts';
import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import type { Database, Db, Tx } from '../database/database.ts';
import {
  maxObjectBytesOf,
  type ObjectLocation,
  type Policies,
  type StoredBytes,
} from '../policies/policies.ts';
import type { SignedDownload } from '../storage/direct-transfers.ts';
import type { ObjectStore, WriteOptions } from '../storage/object-store.ts';
import { findKeyInPath, newObjectKey } from './object-key.ts';
import { PendingObjects } from './pending-objects.ts';
import {
  addReference,
  addReferences,
  dropReference,
  dropReferences,
  findSha256,
  hasRemoved,
  insertBlob,
  insertBlobs,
  type NewBlob,
  type ReferenceCounts,
} from './queries.ts';

export type { ObjectTotals, PolicyMigration, PolicyMigrations } from './migration/policy-migrations.ts';
export { ALL_DAYS, endOfMinuteOfKey, isOwnKey, STORE_ID_KEY } from './object-key.ts';
export { isClaimedStore } from './store-identity.ts';
export type { StoreOwnership } from './store-ownership.ts';
export { type ObjectClaims, OrphanSearch } from './sweep/orphans.ts';
export { BlobTotal } from './total/total.ts';
export type { ReferenceCounts };

type BlobOptions = WriteOptions & {
  readonly location?: ObjectLocation;
  readonly expectedBytes?: number;
};

interface BlobsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly policies: Policies;
  readonly sweepGraceMs?: number;
}

/**
 * Stored objects, and how many rows refer to each of them. An upload first writes the bytes under a new key,
 * and then refers to them in a transaction. The sweeper removes bytes that no transaction referred to.
 */
export class Blobs {
  /** Claims on the objects that this instance has written but not recorded yet. */
  readonly pending: PendingObjects;
  readonly #parts: BlobsParts;

  /** @param parts.sweepGraceMs defaults to 0, which is safe with any sweep */
  constructor(parts: BlobsParts) {
    this.#parts = parts;
    this.pending = new PendingObjects(parts.clock, parts.sweepGraceMs ?? 0);
  }

  /** A random key for a new object. */
  newKey(): string {
    return newObjectKey(this.#parts.ids, this.#parts.clock.now());
  }

  /** The maximum size of a new object under the policy, by default the default policy. */
  async getMaxObjectBytes(policyId?: number): Promise<number> {
    const policies = this.#parts.policies;
    return maxObjectBytesOf(await (policyId === undefined ? policies.getDefault() : policies.get(policyId)));
  }

  /**
   * Stores bytes as a new object, by default under the default policy and a new key. Fails like the store's
   * `write`, or before the first byte if the disk of the store has no room.
   * @param options.location the location of the new object
   * @param options.expectedBytes about how many bytes will be sent, if that is known
   */
  write(source: AsyncIterable<Uint8Array>, options: BlobOptions = {}): Promise<StoredBytes & ByteDigest> {
    return this.#write((store, key, more) => store.write(key, source, more), options);
  }

  /**
   * Like {@link write}, for an open file of this machine. The object shares its blocks if the store can do
   * that.
   */
  writeFile(file: FileHandle, options: BlobOptions = {}): Promise<StoredBytes & ByteDigest> {
    return this.#write(
      (store, key, more) =>
        store.writeFromFile?.(key, file, more) ??
        store.write(key, file.createReadStream({ start: 0, autoClose: false }), more),
      options,
    );
  }

  async #write(
    write: (store: ObjectStore, key: string, options: WriteOptions) => Promise<ByteDigest>,
    options: BlobOptions,
  ): Promise<StoredBytes & ByteDigest> {
    const { policyId, objectKey } = options.location ?? {
      policyId: (await this.#parts.policies.getDefault()).id,
      objectKey: this.newKey(),
    };
    const store = await this.#parts.policies.getStore(policyId);
    const admitted = await store.freeSpace?.admit(options.expectedBytes ?? 0);
    const onProgress = (bytes: number) => {
      admitted?.receive(bytes);
      options.onProgress?.(bytes);
    };
    this.pending.begin(objectKey);
    try {
      const digest = await write(store, objectKey, { ...options, onProgress });
      return { ...digest, policyId, objectKey };
    } catch (error) {
      this.pending.end([objectKey]);
      throw error;
    } finally {
      admitted?.end();
    }
  }

  /** Opens an object that a record refers to. A missing object is an internal error. */
  async open({ policyId, objectKey }: ObjectLocation, range?: ByteRange): Promise<Readable> {
    const store = await this.#parts.policies.getStore(policyId);
    return await expectRecorded(objectKey, store.open(objectKey, range));
  }

  /** Reads a short range of an object that a record refers to into memory. */
  async read({ policyId, objectKey }: ObjectLocation, range: ByteRange): Promise<Buffer> {
    const store = await this.#parts.policies.getStore(policyId);
    return await expectRecorded(objectKey, store.read(objectKey, range));
  }

  /**
   * A signed URL at which the store serves the download; undefined if the store or the policy does not
   * support it.
   */
  async signDownload(
    { policyId, objectKey }: ObjectLocation,
    download: SignedDownload,
    lifetimeMs: number,
  ): Promise<string | undefined> {
    const policy = await this.#parts.policies.get(policyId);
    const { direct } = await this.#parts.policies.getStore(policyId);
    if (direct === undefined || !policy.capabilities.signedDownloadUrl) return undefined;
    return await direct.signGet(objectKey, download, lifetimeMs);
  }

  /**
   * The path of an object below the directory of all objects on the local disk, for a reverse proxy that
   * serves it.
   */
  async getPath({ policyId, objectKey }: ObjectLocation): Promise<string> {
    const { type, prefix } = await this.#parts.policies.get(policyId);
    return type === 'LOCAL' && prefix !== '' ? `${prefix}/${objectKey}` : objectKey;
  }

  /** Like {@link getPath}; undefined if the object is not on the local disk. */
  async findDiskPath(location: ObjectLocation): Promise<string | undefined> {
    const { type } = await this.#parts.policies.get(location.policyId);
    return type === 'LOCAL' ? await this.getPath(location) : undefined;
  }

  /** The key of the object that a path from {@link getPath} refers to; undefined if it has no such form. */
  findKeyInPath(path: string): string | undefined {
    return findKeyInPath(path);
  }

  /** Removes bytes that nothing will refer to. Never fails: the sweeper removes what is left. */
  async discard(locations: readonly ObjectLocation[]): Promise<void> {
    for (const [policyId, group] of Map.groupBy(locations, (location) => location.policyId)) {
      try {
        const store = await this.#parts.policies.getStore(policyId);
        await store.remove(group.map((location) => location.objectKey));
      } catch {
        // The sweeper removes them.
      }
      this.pending.end(group.map((location) => location.objectKey));
    }
  }

  /**
   * Records written bytes with one reference, which the caller's transaction makes. Returns the blob's id.
   * @throws Failure `unavailable` when the removal of the object has begun, because nothing referred to it
   *   for the grace time
   */
  async insert(tx: Tx, blob: Omit<NewBlob, 'createdAt'>): Promise<number> {
    const id = await insertBlob(tx, { ...blob, createdAt: this.#parts.clock.now() });
    await this.#checkStored(tx, [blob.objectKey]);
    return id;
  }

  /** Records written bytes that nothing refers to: the next sweep removes them. */
  async insertUnused(tx: Tx, blob: Omit<NewBlob, 'createdAt'>): Promise<void> {
    await dropReference(tx, await this.insert(tx, blob), 0);
  }

  /** The digest of a blob; null while it is not known. */
  findSha256(db: Db, blobId: number): Promise<string | null> {
    return findSha256(db, blobId);
  }

  /** Records several blobs as {@link insert} does. Returns their ids in the order of the blobs. */
  async insertMany(tx: Tx, blobs: readonly Omit<NewBlob, 'createdAt'>[]): Promise<readonly number[]> {
    const ids = await insertBlobs(tx, blobs, this.#parts.clock.now());
    await this.#checkStored(
      tx,
      blobs.map(({ objectKey }) => objectKey),
    );
    return ids;
  }

  /**
   * Ends the pending writes of these objects when the transaction is durable: until then it may run again.
   * This is a separate statement, because on PostgreSQL the insertion may have waited for a sweep whose
   * changes it does not see.
   */
  async #checkStored(tx: Tx, keys: readonly string[]): Promise<void> {
    const old = this.pending.findOld(keys);
    if (old.length > 0 && (await hasRemoved(tx, old))) throw removedMeanwhile();
    this.#parts.database.afterCommit(tx, () => this.pending.end(keys));
  }

  /**
   * Counts references that the caller's transaction makes to blobs.
   * @throws Failure `unavailable` when the removal of a blob has begun, because it was unreferenced for the
   *   grace time
   */
  async addReferences(tx: Tx, counts: ReferenceCounts): Promise<void> {
    if (!(await addReferences(tx, counts))) throw removedMeanwhile();
  }

  /**
   * Counts one reference that the caller's transaction makes to a blob.
   * @throws Failure `unavailable` when the removal of the blob has begun
   */
  async addReference(tx: Tx, blobId: number): Promise<void> {
    if (!(await addReference(tx, blobId))) throw removedMeanwhile();
  }

  /**
   * Subtracts references that the caller's transaction removes. The sweeper removes unreferenced blobs after
   * the grace time.
   */
  dropReferences(tx: Tx, counts: ReferenceCounts): Promise<void> {
    return dropReferences(tx, counts, this.#parts.clock.now());
  }

  /**
   * Like {@link dropReferences} without a grace time: the next sweep removes the blobs. For files that no one
   * can see any more.
   */
  dropReferencesWithoutGrace(tx: Tx, counts: ReferenceCounts): Promise<void> {
    return dropReferences(tx, counts, 0);
  }

  /** Subtracts one reference to a blob. */
  dropReference(tx: Tx, blobId: number): Promise<void> {
    return dropReference(tx, blobId, this.#parts.clock.now());
  }
}

function removedMeanwhile(): Failure {
  return new Failure('unavailable', 'Some of these files were just removed. Please try again.', {
    retryAfterSeconds: 1,
  });
}
