import { type Clock, type Instant, SECOND } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Database, Db } from '../database/database.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { DRIVER_CAPABILITIES, isSameLocation, type StoragePolicy, type StoreLocation } from './policy.ts';
import { PolicyChanges } from './policy-changes.ts';
import { findPolicies, findPolicy, insertDefaultPolicy, updateDefaultEndpoint } from './queries.ts';

export {
  DRIVER_CAPABILITIES,
  isSameLocation,
  maxObjectBytesOf,
  noSuchPolicy,
  type ObjectLocation,
  type PolicyCapabilities,
  type StoragePolicy,
  type StoredBytes,
  type StoreLocation,
} from './policy.ts';
export { MAX_POLICIES } from './policy-changes.ts';
export type { PolicyDraft } from './policy-rules.ts';

/** Opens the store at a location. */
type OpenStore = (location: StoreLocation) => Promise<ObjectStore>;

/**
 * How long an instance caches the policies. Other instances see a change within this time.
 */
const CACHE_TTL_MS = 2 * SECOND;

interface PoliciesParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly openStore: OpenStore;
}

/**
 * The storage policies, which define where objects are stored. The record of each object names its policy,
 * and this class opens the store of that policy.
 *
 * One policy is the default for all new objects. The first start creates it from the configuration.
 */
export class Policies {
  readonly changes: PolicyChanges;
  readonly #parts: PoliciesParts;
  readonly #stores = new Map<string, Promise<ObjectStore>>();
  #cache: { readonly policies: ReadonlyMap<number, StoragePolicy>; readonly readAt: Instant } | undefined;
  /** How often the cache was invalidated. */
  #invalidations = 0;
  #configured: StoreLocation | undefined;

  constructor(parts: PoliciesParts) {
    this.#parts = parts;
    // A change takes effect on this instance when it commits, on the others when their caches expire.
    this.changes = new PolicyChanges(parts.clock, (tx) =>
      this.#parts.database.afterCommit(tx, () => this.invalidateCache()),
    );
  }

  /**
   * Sets the configured location of new objects. Must be called first, before the store is used.
   * @throws Error with a sentence for the operator if the default policy has another location
   */
  async configure(configured: StoreLocation): Promise<void> {
    this.#configured = configured;
    const current = (await findPolicies(this.#parts.database.db)).find((policy) => policy.isDefault);
    if (current !== undefined) checkSameLocation(current, configured);
  }

  /** Opens the configured store, whether or not it has a policy yet. */
  openConfigured(): Promise<ObjectStore> {
    return this.#open(this.#getConfigured());
  }

  /**
   * Returns the default policy, and creates it for the configured location if there is none. Call it once the
   * store is known to belong to this database. Endpoint and region may differ between starts and between
   * instances: each instance uses those in its own configuration.
   */
  async getOrCreateDefault(): Promise<StoragePolicy> {
    const configured = this.#getConfigured();
    const found = await findPolicies(this.#parts.database.db);
    const existing = found.find((policy) => policy.isDefault);
    // If the policy is there, nothing is written, because each commit would make the start wait for the disk.
    const isThere =
      existing !== undefined &&
      isSameLocation(existing, configured) &&
      !hasOtherEndpoint(existing, configured);
    this.#fillCache(isThere ? found : await this.#createDefault(configured));
    return this.getDefault();
  }

  #createDefault(configured: StoreLocation): Promise<readonly StoragePolicy[]> {
    const now = this.#parts.clock.now();
    const capabilities = DRIVER_CAPABILITIES[configured.type];
    return this.#parts.database.transact(async (tx) => {
      await insertDefaultPolicy(
        tx,
        {
          ...configured,
          name: configured.type === 'LOCAL' ? 'Local disk' : 'Object store',
          credentialMode: configured.type === 'LOCAL' ? 'NONE' : 'STATIC',
          maxSizeBytes: capabilities.maxObjectSize,
          capabilities,
        },
        now,
      );
      const current = (await findPolicies(tx)).find((policy) => policy.isDefault);
      if (current === undefined) throw new Error('There is no default storage policy.');
      checkSameLocation(current, configured);
      if (hasOtherEndpoint(current, configured)) await updateDefaultEndpoint(tx, configured, now);
      return await findPolicies(tx);
    });
  }

  /** The policy of all new objects, from the cache. */
  async getDefault(): Promise<StoragePolicy> {
    const policies = await this.#readCached();
    const found = [...policies.values()].find((policy) => policy.isDefault);
    if (found === undefined) throw new Error('There is no default storage policy.');
    return found;
  }

  /** A policy from the cache, or from the database if it is not cached. @throws Error if it does not exist */
  async get(policyId: number): Promise<StoragePolicy> {
    return (await this.#readCached()).get(policyId) ?? (await this.#getCurrent(policyId));
  }

  /** All policies, from the database. */
  list(db: Db): Promise<readonly StoragePolicy[]> {
    return findPolicies(db);
  }

  /** A policy from the database, for decisions that must not rely on the cache. */
  find(db: Db, policyId: number): Promise<StoragePolicy | undefined> {
    return findPolicy(db, policyId);
  }

  /** The policies whose stores this service can open: those of the configured type. */
  async listOpenable(): Promise<readonly StoragePolicy[]> {
    const { type } = await this.getDefault();
    return [...(await this.#readCached()).values()].filter((policy) => policy.type === type);
  }

  /** The locations of the stores that this service can open, with the endpoints that it uses. */
  async listLocations(): Promise<readonly StoreLocation[]> {
    return (await this.listOpenable()).map((policy) => this.#locationOf(policy));
  }

  /**
   * The store of a policy. Each store is opened only once.
   * @throws Failure `unavailable` if it does not have the configured type
   */
  async getStore(policyId: number): Promise<ObjectStore> {
    const policy = await this.get(policyId);
    const { type } = await this.getDefault();
    if (policy.type !== type) {
      throw new Failure('unavailable', 'The storage of this file is not connected.', {
        cause: new Error(
          `The storage policy ${policyId} is ${policy.type}, and this service runs on ${type}.`,
        ),
      });
    }
    return await this.#open(this.#locationOf(policy));
  }

  /** Whether a location is at the configured endpoint or, if the local disk is configured, on that disk. */
  usesConfiguredEndpoint(location: StoreLocation): boolean {
    const { type, endpoint } = this.#getConfigured();
    return location.type === type && location.endpoint === endpoint;
  }

  /** Opens the store at a location, which need not belong to a policy. The caller must close it. */
  openLocation(location: StoreLocation): Promise<ObjectStore> {
    return this.#parts.openStore(location);
  }

  /** Makes later calls read the policies from the database again. */
  invalidateCache(): void {
    this.#invalidations += 1;
    this.#cache = undefined;
  }

  /** Closes the opened stores. */
  async close(): Promise<void> {
    for (const opened of await Promise.allSettled(this.#stores.values())) {
      if (opened.status === 'fulfilled') opened.value.close();
    }
  }

  /**
   * The location of a policy. The row of the default policy may have another instance's endpoint, so this
   * instance uses its own.
   */
  #locationOf(policy: StoragePolicy): StoreLocation {
    return policy.isDefault ? this.#getConfigured() : policy;
  }

  #getConfigured(): StoreLocation {
    if (this.#configured === undefined) throw new Error('The location of new objects is not configured yet.');
    return this.#configured;
  }

  #open({ type, bucketName, endpoint, region, prefix }: StoreLocation): Promise<ObjectStore> {
    const location = { type, bucketName, endpoint, region, prefix };
    const name = JSON.stringify(location);
    const known = this.#stores.get(name);
    if (known !== undefined) return known;
    const opening = this.#parts.openStore(location);
    this.#stores.set(name, opening);
    opening.catch(() => this.#stores.delete(name));
    return opening;
  }

  async #getCurrent(policyId: number): Promise<StoragePolicy> {
    const found = await findPolicy(this.#parts.database.db, policyId);
    if (found === undefined) throw new Error(`There is no storage policy ${policyId}.`);
    return found;
  }

  async #readCached(): Promise<ReadonlyMap<number, StoragePolicy>> {
    const cache = this.#cache;
    if (cache !== undefined && this.#parts.clock.now() - cache.readAt < CACHE_TTL_MS) return cache.policies;
    const invalidations = this.#invalidations;
    const policies = await findPolicies(this.#parts.database.db);
    // If the cache was invalidated meanwhile, these policies may be outdated.
    return invalidations === this.#invalidations ? this.#fillCache(policies) : await this.#readCached();
  }

  #fillCache(policies: readonly StoragePolicy[]): ReadonlyMap<number, StoragePolicy> {
    this.#cache = {
      policies: new Map(policies.map((policy) => [policy.id, policy])),
      readAt: this.#parts.clock.now(),
    };
    return this.#cache.policies;
  }
}

function hasOtherEndpoint(current: StoreLocation, configured: StoreLocation): boolean {
  return current.endpoint !== configured.endpoint || current.region !== configured.region;
}

function checkSameLocation(current: StoreLocation, configured: StoreLocation): void {
  for (const member of ['type', 'bucketName', 'prefix'] as const) {
    if (current[member] === configured[member]) continue;
    throw new Error(
      `the default storage policy stores its objects in ${describe(current)}, but the configuration says ${describe(configured)}; start the service with its previous configuration.`,
    );
  }
}

function describe({ type, bucketName, prefix }: StoreLocation): string {
  if (type === 'LOCAL') return 'the data directory (HOLDALL_STORAGE=local)';
  return `the bucket ${bucketName}${prefix === '' ? '' : `, prefix ${prefix}`} (HOLDALL_STORAGE=s3)`;
}
