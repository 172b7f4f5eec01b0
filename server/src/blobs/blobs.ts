import type { Readable } from 'node:stream';
import type { ByteRange } from '../base/bytes/byte-range.ts';
import type { ByteDigest } from '../base/bytes/byte-streams.ts';
import { expectRecorded } from '../base/bytes/recorded-object.ts';
import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import type { Tx } from '../database/database.ts';
import {
  maxObjectBytesOf,
  type ObjectLocation,
  type Policies,
  type StoredBytes,
} from '../policies/policies.ts';
import type { SignedDownload } from '../storage/direct-transfers.ts';
import type { WriteOptions } from '../storage/object-store.ts';
import { findKeyInPath, newObjectKey } from './object-key.ts';
import {
  addReference,
  addReferences,
  dropReference,
  dropReferences,
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

/**
 * Stored objects and how many rows refer to each. The order of an upload: write the bytes under a new key, and only
 * then refer to them in a transaction; what no transaction ever took, the sweeper takes.
 */
export class Blobs {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #policies: Policies;

  constructor(parts: { clock: Clock; ids: Ids; policies: Policies }) {
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#policies = parts.policies;
  }

  /** A key that no object has. */
  newKey(): string {
    return newObjectKey(this.#ids, this.#clock.now());
  }

  /** Bytes of the largest object that can be stored anew, without another policy where everything new goes. */
  async getMaxObjectBytes(policyId?: number): Promise<number> {
    const policies = this.#policies;
    return maxObjectBytesOf(await (policyId === undefined ? policies.getDefault() : policies.get(policyId)));
  }

  /**
   * Stores bytes, without another place where everything new goes. Fails as the store's `write` does.
   * @param options.place of no object yet
   */
  async write(
    source: AsyncIterable<Uint8Array>,
    options: WriteOptions & { readonly place?: ObjectLocation } = {},
  ): Promise<StoredBytes & ByteDigest> {
    const { policyId, objectKey } = options.place ?? {
      policyId: (await this.#policies.getDefault()).id,
      objectKey: this.newKey(),
    };
    const store = await this.#policies.getStore(policyId);
    return { ...(await store.write(objectKey, source, options)), policyId, objectKey };
  }

  /** Opens an object that a record names; a missing one is our own fault. */
  async open({ policyId, objectKey }: ObjectLocation, range?: ByteRange): Promise<Readable> {
    const store = await this.#policies.getStore(policyId);
    return await expectRecorded(objectKey, store.open(objectKey, range));
  }

  /** Reads a short range of an object that a record names, in one go. */
  async read({ policyId, objectKey }: ObjectLocation, range: ByteRange): Promise<Buffer> {
    const store = await this.#policies.getStore(policyId);
    return await expectRecorded(objectKey, store.read(objectKey, range));
  }

  /** An address at the store that gives the object as such a download; undefined where the store has none. */
  async signDownload(
    { policyId, objectKey }: ObjectLocation,
    download: SignedDownload,
    lifetimeMs: number,
  ): Promise<string | undefined> {
    const policy = await this.#policies.get(policyId);
    const { direct } = await this.#policies.getStore(policyId);
    if (direct === undefined || !policy.capabilities.signedDownloadUrl) return undefined;
    return await direct.signGet(objectKey, download, lifetimeMs);
  }

  /** Below the directory of all objects on the local disk, for a front proxy that reads it. */
  async getPath({ policyId, objectKey }: ObjectLocation): Promise<string> {
    const { type, prefix } = await this.#policies.get(policyId);
    return type === 'LOCAL' && prefix !== '' ? `${prefix}/${objectKey}` : objectKey;
  }

  /** The key of the object that such a path means, if it can mean one. */
  findKeyInPath(path: string): string | undefined {
    return findKeyInPath(path);
  }

  /** Removes bytes that nothing will refer to. Should that fail, the sweeper takes them. */
  async discard(places: readonly ObjectLocation[]): Promise<void> {
    for (const [policyId, group] of Map.groupBy(places, (place) => place.policyId)) {
      try {
        const store = await this.#policies.getStore(policyId);
        await store.remove(group.map((place) => place.objectKey));
      } catch {
        // As said.
      }
    }
  }

  /** Records written bytes, with the one reference that the caller's transaction makes. Gives the blob's id. */
  insert(tx: Tx, blob: Omit<NewBlob, 'createdAt'>): Promise<number> {
    return insertBlob(tx, { ...blob, createdAt: this.#clock.now() });
  }

  /** The same for many. Gives their ids in the order of the blobs. */
  insertMany(tx: Tx, blobs: readonly Omit<NewBlob, 'createdAt'>[]): Promise<readonly number[]> {
    return insertBlobs(tx, blobs, this.#clock.now());
  }

  /**
   * The caller's transaction makes more references to blobs.
   * @throws Failure `unavailable` when the removal of one has begun: nothing has referred to it for the grace time
   */
  async addReferences(tx: Tx, counts: ReferenceCounts): Promise<void> {
    if (!(await addReferences(tx, counts))) throw removedMeanwhile();
  }

  /**
   * The caller's transaction makes one more reference to a blob.
   * @throws Failure `unavailable` when its removal has begun
   */
  async addReference(tx: Tx, blobId: number): Promise<void> {
    if (!(await addReference(tx, blobId))) throw removedMeanwhile();
  }

  /** The caller's transaction ends references. At 0 the bytes stay for the grace time, then the sweeper takes them. */
  dropReferences(tx: Tx, counts: ReferenceCounts): Promise<void> {
    return dropReferences(tx, counts, this.#clock.now());
  }

  /** The same without a grace time: the next sweep takes what came to 0. For what nobody may see any more anyway. */
  dropReferencesWithoutGrace(tx: Tx, counts: ReferenceCounts): Promise<void> {
    return dropReferences(tx, counts, 0);
  }

  dropReference(tx: Tx, blobId: number): Promise<void> {
    return dropReference(tx, blobId, this.#clock.now());
  }
}

function removedMeanwhile(): Failure {
  return new Failure('unavailable', 'Files were removed at this very moment. Please try again.', {
    retryAfterSeconds: 1,
  });
}
