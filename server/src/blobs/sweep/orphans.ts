import { DAY, type Instant } from '../../base/clock.ts';
import type { Database, Db } from '../../database/database.ts';
import type { StoredObject } from '../../storage/object-store.ts';
import { isOwnKey } from '../object-key.ts';
import { findKnownKeys } from '../queries.ts';

/**
 * A key has the day on which its upload began, and its object comes when it ends. No request runs longer than this, and
 * an announced upload no longer than this behind its time: by an address that was signed at its last moment.
 */
const LONGEST_REQUEST_MS = 3 * DAY;

/** What stands for objects besides blobs: uploads that have not been completed, and blobs that are being moved. */
export interface ObjectClaims {
  /** Of these keys, those that are claimed. A key goes from a claim to a blob, or back, in one transaction. */
  findClaimedKeys(db: Db, keys: readonly string[]): Promise<readonly string[]>;
  /**
   * When the oldest claim was made that may end and leave its object behind: no key of such a claim has an earlier day.
   */
  findOldest(db: Db): Promise<Instant | undefined>;
}

/** Tells which objects no row stands for: no blob, no upload that has not been completed, and no work that goes on. */
export class OrphanSearch {
  readonly longestUploadMs: number;
  readonly #database: Database;
  readonly #claims: readonly ObjectClaims[];

  constructor(parts: {
    database: Database;
    /** How long an announced upload may stay unfinished. */
    uploadSessionTtlMs: number;
    claims: readonly ObjectClaims[];
  }) {
    this.longestUploadMs = parts.uploadSessionTtlMs + LONGEST_REQUEST_MS;
    this.#database = parts.database;
    this.#claims = parts.claims;
  }

  /** Whether the object was there at that time already, for sure. */
  wasStoredBefore(object: StoredObject, before: Instant): boolean {
    const latest = object.isDatedByBeginning ? before - this.longestUploadMs : before;
    return object.modifiedAt <= latest;
  }

  /** Of these keys of our own in the store of a policy, those that nothing stands for. */
  async findOrphans(policyId: number, keys: readonly string[]): Promise<readonly string[]> {
    if (keys.length === 0) return [];
    // Claims first: a key that becomes a blob's between the two questions is then in both answers. The other way round
    // it would be in neither.
    const claimed = await this.#findClaimed(keys);
    const blobs = await findKnownKeys(this.#database.db, keys);
    const own = blobs.filter((blob) => blob.policyId === policyId).map((blob) => blob.objectKey);
    const known = new Set([...claimed, ...own]);
    const unknown = keys.filter((key) => !known.has(key));
    // And again: the key of a blob that has been moved away is claimed from then on.
    const left = new Set(await this.#findClaimed(unknown));
    return unknown.filter((key) => !left.has(key));
  }

  /** Those that must not be ended: what is claimed, and what is not ours at all but lies below our prefix. */
  async findKeysToKeep(keys: readonly string[]): Promise<readonly string[]> {
    const own = keys.filter(isOwnKey);
    return [...keys.filter((key) => !isOwnKey(key)), ...(await this.#findClaimed(own))];
  }

  /** When the oldest claim was made; now where there is none. */
  async getOldestClaim(now: Instant): Promise<Instant> {
    let oldest = now;
    for (const claims of this.#claims) {
      oldest = Math.min(oldest, (await claims.findOldest(this.#database.db)) ?? now);
    }
    return oldest;
  }

  async #findClaimed(keys: readonly string[]): Promise<readonly string[]> {
    if (keys.length === 0) return [];
    const claimed: string[] = [];
    for (const claims of this.#claims)
      claimed.push(...(await claims.findClaimedKeys(this.#database.db, keys)));
    return claimed;
  }
}
