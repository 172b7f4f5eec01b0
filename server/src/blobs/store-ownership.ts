import { Failure } from '../base/failure.ts';
import type { Database } from '../database/database.ts';
import { isSameLocation, type Policies, type StoreLocation } from '../policies/policies.ts';
import type { Settings } from '../settings/settings.ts';
import { claimPolicyStore, isFree } from './store-identity.ts';

/**
 * Whose the places of policies are. Each is marked as one policy's of this database (`store-identity.ts`) before anything
 * is moved there or swept: when an admin names it, if it can be asked without a way to a foreign machine, and otherwise
 * when it is first used.
 */
export class StoreOwnership {
  readonly #database: Database;
  readonly #settings: Settings;
  readonly #policies: Policies;

  constructor(parts: { database: Database; settings: Settings; policies: Policies }) {
    this.#database = parts.database;
    this.#settings = parts.settings;
    this.#policies = parts.policies;
  }

  /**
   * Sees to it that the place of a policy is that policy's.
   * @throws Failure `rejected` when it is somebody else's; `unavailable` when it cannot be asked
   */
  async claim(policyId: number): Promise<void> {
    // The default policy's was seen to be ours at the start.
    if ((await this.#policies.get(policyId)).isDefault) return;
    const store = await this.#policies.getStore(policyId);
    const claimed = { database: this.#database, settings: this.#settings, store, policyId };
    if (await claimPolicyStore(claimed)) return;
    throw new Failure('rejected', `The objects in the place of policy ${policyId} belong to somebody else.`);
  }

  /** The same for one whose place is near. What fails now is left for its first use. */
  async tryClaim(policyId: number): Promise<void> {
    if (this.#policies.usesConfiguredEndpoint(await this.#policies.get(policyId)))
      await this.claim(policyId).catch(() => {});
  }

  /**
   * Refuses a place that is near and not free, unless the policy has it, or has had it before.
   * @param policyId whose place it is to be; undefined for a new one
   * @throws Failure `conflict`
   */
  async checkFree(place: StoreLocation, policyId?: number): Promise<void> {
    if (policyId !== undefined && (await this.#isPlaceOf(place, policyId))) return;
    if (!this.#policies.usesConfiguredEndpoint(place)) return;
    const store = await this.#policies.openLocation(place);
    const asked = { database: this.#database, settings: this.#settings, store, policyId };
    try {
      // A bucket may come to be after its policy.
      if (await isFree(asked).catch(() => true)) return;
    } finally {
      store.close();
    }
    throw new Failure('conflict', 'Objects of somebody else, or of another policy, lie in this place.');
  }

  async #isPlaceOf(place: StoreLocation, policyId: number): Promise<boolean> {
    const policy = await this.#policies.find(this.#database.db, policyId);
    return policy !== undefined && isSameLocation(policy, place);
  }
}
