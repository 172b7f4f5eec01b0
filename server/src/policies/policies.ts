import { type Clock, type Instant, SECOND } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Database, Db } from '../database/database.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { DRIVER_CAPABILITIES, type StoragePolicy, type StoreLocation } from './policy.ts';
import { PolicyChanges } from './policy-changes.ts';
import { findPolicies, findPolicy, insertDefaultPolicy, updateDefaultEndpoint } from './queries.ts';

export {
  DRIVER_CAPABILITIES,
  isSameLocation,
  maxObjectBytesOf,
  type ObjectLocation,
  type PolicyCapabilities,
  type StoragePolicy,
  type StoredBytes,
  type StoreLocation,
} from './policy.ts';
export type { PolicyDraft } from './policy-rules.ts';

/** Makes the store that a location means. */
export type OpenStore = (location: StoreLocation) => Promise<ObjectStore>;

/** How old what an instance remembers of the policies may be: so long a change may take to count everywhere. */
const REMEMBERED_MS = 2 * SECOND;

interface Remembered {
  readonly policies: ReadonlyMap<number, StoragePolicy>;
  readonly readAt: Instant;
}

/**
 * The storage policies, which say where objects lie. Every object's record names its policy; this finds the store.
 *
 * There is one default policy, for everything that is stored anew. The first start makes it as configured.
 */
export class Policies {
  readonly changes: PolicyChanges;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #openStore: OpenStore;
  readonly #stores = new Map<string, Promise<ObjectStore>>();
  #remembered: Remembered | undefined;
  /** Counts how often that was forgotten. */
  #forgotten = 0;
  #configured: StoreLocation | undefined;

  constructor(parts: { database: Database; clock: Clock; openStore: OpenStore }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#openStore = parts.openStore;
    // Here at once; other instances within the time for which they remember.
    this.changes = new PolicyChanges(parts.clock, (tx) =>
      this.#database.afterCommit(tx, () => this.invalidateCache()),
    );
  }

  /**
   * Says where everything new is to go, before anything has been asked of that store.
   * @throws Error with a sentence for the operator, when the default policy means another place
   */
  async configure(configured: StoreLocation): Promise<void> {
    this.#configured = configured;
    const standing = (await findPolicies(this.#database.db)).find((policy) => policy.isDefault);
    if (standing !== undefined) checkSamePlace(standing, configured);
  }

  /** The store that is configured, whether or not there is a policy for it yet. */
  openConfigured(): Promise<ObjectStore> {
    return this.#open(this.#getConfigured());
  }

  /**
   * Sees to it that there is a default policy for the configured place, once its store is known to be ours. How it is
   * reached (endpoint, region) may differ from start to start, and from instance to instance; each uses its own.
   */
  async getOrCreateDefault(): Promise<StoragePolicy> {
    const configured = this.#getConfigured();
    const now = this.#clock.now();
    const capabilities = DRIVER_CAPABILITIES[configured.type];
    const policies = await this.#database.transact(async (tx) => {
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
      const standing = (await findPolicies(tx)).find((policy) => policy.isDefault);
      if (standing === undefined) throw new Error('There is no default storage policy.');
      checkSamePlace(standing, configured);
      if (isReachedOtherwise(standing, configured)) await updateDefaultEndpoint(tx, configured, now);
      return await findPolicies(tx);
    });
    this.#remember(policies);
    return this.getDefault();
  }

  /** The policy of everything that is stored anew. */
  async getDefault(): Promise<StoragePolicy> {
    const policies = await this.#recall();
    const found = policies.values().find((policy) => policy.isDefault);
    if (found === undefined) throw new Error('There is no default storage policy.');
    return found;
  }

  /** As remembered. */
  async get(policyId: number): Promise<StoragePolicy> {
    return (await this.#recall()).get(policyId) ?? (await this.#find(policyId));
  }

  /** All of them, as they are now. */
  list(db: Db): Promise<readonly StoragePolicy[]> {
    return findPolicies(db);
  }

  /** As it is now, for decisions that must hold. */
  find(db: Db, policyId: number): Promise<StoragePolicy | undefined> {
    return findPolicy(db, policyId);
  }

  /** Those whose store this service can open: of the configured type. */
  async listOpenable(): Promise<readonly StoragePolicy[]> {
    const { type } = await this.getDefault();
    return [...(await this.#recall()).values()].filter((policy) => policy.type === type);
  }

  /** Where the stores are that this service can open, as it reaches them. */
  async listLocations(): Promise<readonly StoreLocation[]> {
    return (await this.listOpenable()).map((policy) => this.#placeOf(policy));
  }

  /** The store in which the objects of a policy lie. @throws Failure `unavailable` when it cannot be opened here */
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
    return await this.#open(this.#placeOf(policy));
  }

  /** Whether a place is where this service is at home anyway: on its disk, or at the endpoint that is configured. */
  usesConfiguredEndpoint(place: StoreLocation): boolean {
    const { type, endpoint } = this.#getConfigured();
    return place.type === type && place.endpoint === endpoint;
  }

  /** The store of a place that is near and need not be a policy's. Whoever asks closes it. */
  openLocation(place: StoreLocation): Promise<ObjectStore> {
    return this.#openStore(place);
  }

  /** What is asked for from now on is as it is now, or newer. */
  invalidateCache(): void {
    this.#forgotten += 1;
    this.#remembered = undefined;
  }

  /** Lets go of the stores. */
  async close(): Promise<void> {
    for (const opened of await Promise.allSettled(this.#stores.values())) {
      if (opened.status === 'fulfilled') opened.value.close();
    }
  }

  /** The row of the default one may have been written by an instance that reaches the store by another name. */
  #placeOf(policy: StoragePolicy): StoreLocation {
    return policy.isDefault ? this.#getConfigured() : policy;
  }

  #getConfigured(): StoreLocation {
    if (this.#configured === undefined) throw new Error('Nobody has said where objects are to lie.');
    return this.#configured;
  }

  #open({ type, bucketName, endpoint, region, prefix }: StoreLocation): Promise<ObjectStore> {
    const location = { type, bucketName, endpoint, region, prefix };
    const name = JSON.stringify(location);
    const known = this.#stores.get(name);
    if (known !== undefined) return known;
    const opening = this.#openStore(location);
    this.#stores.set(name, opening);
    opening.catch(() => this.#stores.delete(name));
    return opening;
  }

  async #find(policyId: number): Promise<StoragePolicy> {
    const found = await findPolicy(this.#database.db, policyId);
    if (found === undefined) throw new Error(`There is no storage policy ${policyId}.`);
    return found;
  }

  async #recall(): Promise<ReadonlyMap<number, StoragePolicy>> {
    const remembered = this.#remembered;
    if (remembered !== undefined && this.#clock.now() - remembered.readAt < REMEMBERED_MS) {
      return remembered.policies;
    }
    const forgotten = this.#forgotten;
    const policies = await findPolicies(this.#database.db);
    // Read before it was to be forgotten, it may be the old one.
    return forgotten === this.#forgotten ? this.#remember(policies) : await this.#recall();
  }

  #remember(policies: readonly StoragePolicy[]): ReadonlyMap<number, StoragePolicy> {
    this.#remembered = {
      policies: new Map(policies.map((policy) => [policy.id, policy])),
      readAt: this.#clock.now(),
    };
    return this.#remembered.policies;
  }
}

function isReachedOtherwise(standing: StoreLocation, configured: StoreLocation): boolean {
  return standing.endpoint !== configured.endpoint || standing.region !== configured.region;
}

function checkSamePlace(standing: StoreLocation, configured: StoreLocation): void {
  for (const part of ['type', 'bucketName', 'prefix'] as const) {
    if (standing[part] === configured[part]) continue;
    throw new Error(
      `the default storage policy keeps its objects in ${describe(standing)}, and the settings say ${describe(configured)}; give the service the settings that it was used with.`,
    );
  }
}

function describe({ type, bucketName, prefix }: StoreLocation): string {
  if (type === 'LOCAL') return 'the data directory (HOLDALL_STORAGE=local)';
  return `the bucket ${bucketName}${prefix === '' ? '' : `, prefix ${prefix}`} (HOLDALL_STORAGE=s3)`;
}
