import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Tx } from '../database/database.ts';
import { conflictOn } from '../database/unique-violations.ts';
import { isSameLocation, noSuchPolicy, type StoragePolicy, type StoreLocation } from './policy.ts';
import { type PolicyAttributes, type PolicyDraft, toAttributes, toLocation } from './policy-rules.ts';
import { insertPolicy, isUsed, lockAndCountPolicies, lockPolicy, updatePolicy } from './queries.ts';

const TAKEN = {
  'storage_policy(name)': 'Another policy has this name.',
  'storage_policy(place)': 'Another policy stores its objects at this location.',
} as const;

/**
 * The maximum number of policies. They are listed without pages, and every instance keeps all of them in
 * memory.
 */
export const MAX_POLICIES = 100;

/**
 * Creates and changes storage policies, in the caller's transaction. A policy is never deleted, and the
 * default policy never changes.
 */
export class PolicyChanges {
  readonly #clock: Clock;
  readonly #onChange: (tx: Tx) => void;

  /** @param onChange called for each change, in its transaction */
  constructor(clock: Clock, onChange: (tx: Tx) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** The store location of a draft. @throws Failure `invalid` */
  toLocation(draft: PolicyDraft): StoreLocation {
    return toLocation(draft);
  }

  /**
   * @throws Failure `invalid` for a draft that the driver does not support; `conflict` if another policy has
   *   the name or the location; `rejected` if there are too many policies
   */
  async create(tx: Tx, draft: PolicyDraft): Promise<StoragePolicy> {
    if ((await lockAndCountPolicies(tx)) >= MAX_POLICIES) {
      throw new Failure('rejected', `There are ${MAX_POLICIES} policies already, which is the most.`);
    }
    const made = await insertPolicy(tx, toAttributes(draft), this.#clock.now()).catch(conflictOn(TAKEN));
    this.#onChange(tx);
    return made;
  }

  /**
   * Updates a policy. Absent capabilities stay unchanged.
   * @throws Failure `rejected` if the default policy would be disabled or get another location, or the
   *   location of a policy with objects would change; `invalid`, `conflict`, `not-found`
   */
  async update(
    tx: Tx,
    id: number,
    draft: PolicyDraft,
  ): Promise<{ before: StoragePolicy; after: StoragePolicy }> {
    const before = await this.lock(tx, id);
    const kept = before.type === draft.type ? before.capabilities : {};
    const attributes = toAttributes({ ...draft, capabilities: { ...kept, ...draft.capabilities } });
    await this.#checkLocation(tx, before, attributes);
    checkEnabled(before, attributes.isEnabled);
    return { before, after: await this.#update(tx, id, attributes) };
  }

  /** @throws Failure `rejected` for the default policy; `not-found` */
  async setEnabled(
    tx: Tx,
    id: number,
    isEnabled: boolean,
  ): Promise<{ before: StoragePolicy; after: StoragePolicy }> {
    const before = await this.lock(tx, id);
    checkEnabled(before, isEnabled);
    return { before, after: await this.#update(tx, id, { ...before, isEnabled }) };
  }

  /** Locks and returns the policy until the transaction ends. @throws Failure `not-found` */
  async lock(tx: Tx, id: number): Promise<StoragePolicy> {
    const policy = await lockPolicy(tx, id);
    if (policy === undefined) throw noSuchPolicy();
    return policy;
  }

  async #update(tx: Tx, id: number, attributes: PolicyAttributes): Promise<StoragePolicy> {
    const after = await updatePolicy(tx, id, attributes, this.#clock.now()).catch(conflictOn(TAKEN));
    this.#onChange(tx);
    return after;
  }

  async #checkLocation(tx: Tx, before: StoragePolicy, after: StoreLocation): Promise<void> {
    if (isSameLocation(before, after)) return;
    if (before.isDefault) {
      throw new Failure(
        'rejected',
        'The location of the default policy is set in the environment of the service.',
      );
    }
    // A new endpoint might lead to the same bucket, but that cannot be verified here.
    if (await isUsed(tx, before.id)) {
      throw new Failure(
        'rejected',
        'This policy holds objects or is part of a migration, so its location cannot change.',
      );
    }
  }
}

function checkEnabled({ isDefault }: StoragePolicy, isEnabled: boolean): void {
  if (isDefault && !isEnabled) throw new Failure('rejected', 'The default policy cannot be disabled.');
}
