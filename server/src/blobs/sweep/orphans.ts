import { DAY, type Instant } from '../../base/clock.ts';
import type { Database, Db, Tx } from '../../database/database.ts';
import type { StoredObject } from '../../storage/object-store.ts';
import { isOwnKey } from '../object-key.ts';
import { findKnownKeys } from '../queries.ts';
import { recordRemovedOrphans } from './queries.ts';

/**
 * No request runs longer than this. An announced upload may also run this long after it expires, if it uses a
 * URL that was signed at the last moment. A key has the day on which its upload began, but its object appears
 * when it ends.
 */
const MAX_REQUEST_MS = 3 * DAY;

/**
 * Claims on objects that no blob refers to: of unfinished uploads and of policy migrations. A claimed object
 * is never swept.
 */
export interface ObjectClaims {
  /** Returns the keys that are claimed. A key passes from a claim to a blob, or back, in one transaction. */
  findClaimedKeys(db: Db, keys: readonly string[]): Promise<readonly string[]>;
  /**
   * When the oldest claim that may end without removing its object was made; undefined if there is none. No
   * key of such a claim has an earlier day.
   */
  findOldest(db: Db): Promise<Instant | undefined>;
}

interface OrphanSearchParts {
  readonly database: Database;
  /** How long an announced upload may stay unfinished. */
  readonly uploadSessionTtlMs: number;
  readonly claims: readonly ObjectClaims[];
}

/** Finds orphaned objects: neither a blob nor a claim refers to them. */
export class OrphanSearch {
  readonly maxUploadMs: number;
  readonly #parts: OrphanSearchParts;

  constructor(parts: OrphanSearchParts) {
    this.#parts = parts;
    this.maxUploadMs = parts.uploadSessionTtlMs + MAX_REQUEST_MS;
  }

  /**
   * Whether the object certainly existed at that time. Some stores date an object by the beginning of its
   * upload.
   */
  wasStoredBefore(object: StoredObject, before: Instant): boolean {
    const latest = object.isDatedByWriteStart ? before - this.maxUploadMs : before;
    return object.modifiedAt <= latest;
  }

  /** The orphaned objects among these keys of the policy's store. All keys must be {@link isOwnKey}. */
  async findOrphans(policyId: number, keys: readonly string[]): Promise<readonly string[]> {
    if (keys.length === 0) return [];
    // Claims first: a key that passes from a claim to a blob between the two queries is in both answers. In
    // the other order it would be in neither.
    const claimed = await this.#findClaimed(keys);
    const blobs = await findKnownKeys(this.#parts.database.db, keys);
    const own = blobs.filter((blob) => blob.policyId === policyId).map((blob) => blob.objectKey);
    const known = new Set([...claimed, ...own]);
    const unknown = keys.filter((key) => !known.has(key));
    // Claims again: when a policy migration moves a blob away between the two queries, its old key becomes
    // claimed.
    const claimedSince = new Set(await this.#findClaimed(unknown));
    return unknown.filter((key) => !claimedSince.has(key));
  }

  /**
   * Records that orphaned objects are removed, before the caller removes them. From then on no upload can
   * refer to them. Returns the keys that may be removed: an upload may have recorded the others meanwhile.
   */
  beginRemoval(tx: Tx, policyId: number, keys: readonly string[], now: Instant): Promise<readonly string[]> {
    return recordRemovedOrphans(tx, { policyId, keys, expiresAt: now + this.maxUploadMs });
  }

  /**
   * Returns the keys whose unfinished writes must not be aborted: claimed keys, and keys of other owners
   * below our prefix.
   */
  async findKeysToKeep(keys: readonly string[]): Promise<readonly string[]> {
    const own = keys.filter(isOwnKey);
    return [...keys.filter((key) => !isOwnKey(key)), ...(await this.#findClaimed(own))];
  }

  /** When the oldest claim was made; `now` if there is none. */
  async getOldestClaim(now: Instant): Promise<Instant> {
    let oldest = now;
    for (const claims of this.#parts.claims) {
      oldest = Math.min(oldest, (await claims.findOldest(this.#parts.database.db)) ?? now);
    }
    return oldest;
  }

  async #findClaimed(keys: readonly string[]): Promise<readonly string[]> {
    if (keys.length === 0) return [];
    const claimed: string[] = [];
    for (const claims of this.#parts.claims)
      claimed.push(...(await claims.findClaimedKeys(this.#parts.database.db, keys)));
    return claimed;
  }
}
