import { Failure } from '../base/failure.ts';
import type { Database } from '../database/database.ts';
import { isSameLocation, type Policies, type StoreLocation } from '../policies/policies.ts';
import type { Settings } from '../settings/settings.ts';
import { claimPolicyStore, isFree } from './store-identity.ts';

interface StoreOwnershipParts {
  readonly database: Database;
  readonly settings: Settings;
  readonly policies: Policies;
}

/**
 * Makes sure that each policy uses a store of its own. A store is claimed for one policy of this database
 * (`store-identity.ts`) before objects are migrated to it or swept from it: when an admin creates the policy,
 * if it uses the configured endpoint, and otherwise at its first use. A request of an admin thus never
 * connects to an unknown host.
 */
export class StoreOwnership {
  readonly #parts: StoreOwnershipParts;

  constructor(parts: StoreOwnershipParts) {
    this.#parts = parts;
  }

  /**
   * Claims the store of a policy, unless it is claimed already.
   * @throws Failure `rejected` when it belongs to another policy or database; `unavailable` when it cannot be
   *   reached
   */
  async claim(policyId: number): Promise<void> {
    // The start has checked the store of the default policy.
    if ((await this.#parts.policies.get(policyId)).isDefault) return;
    const store = await this.#parts.policies.getStore(policyId);
    const claimed = { database: this.#parts.database, settings: this.#parts.settings, store, policyId };
    if (await claimPolicyStore(claimed)) return;
    throw new Failure('rejected', `The objects of policy ${policyId} belong to another policy or database.`);
  }

  /**
   * Claims the store of a policy if it uses the configured endpoint. Ignores errors, because the first use
   * claims it otherwise.
   */
  async tryClaim(policyId: number): Promise<void> {
    if (this.#parts.policies.usesConfiguredEndpoint(await this.#parts.policies.get(policyId)))
      await this.claim(policyId).catch(() => {});
  }

  /**
   * Checks that a policy may use a location. Locations that do not use the configured endpoint are not
   * checked.
   * @param policyId the policy that is to use it; undefined for a new one
   * @throws Failure `conflict` when the location is used by another policy or database
   */
  async checkFree(location: StoreLocation, policyId?: number): Promise<void> {
    if (policyId !== undefined && (await this.#isLocationOf(location, policyId))) return;
    if (!this.#parts.policies.usesConfiguredEndpoint(location)) return;
    const store = await this.#parts.policies.openLocation(location);
    const parts = { database: this.#parts.database, settings: this.#parts.settings, store, policyId };
    try {
      // An error is no reason to reject it: the bucket may be created after the policy.
      if (await isFree(parts).catch(() => true)) return;
    } finally {
      store.close();
    }
    throw new Failure('conflict', 'This location has objects of another policy or another database.');
  }

  async #isLocationOf(location: StoreLocation, policyId: number): Promise<boolean> {
    const policy = await this.#parts.policies.find(this.#parts.database.db, policyId);
    return policy !== undefined && isSameLocation(policy, location);
  }
}
