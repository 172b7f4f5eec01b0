import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Tx } from '../database/database.ts';
import { conflictOn } from '../database/unique-violations.ts';
import { isSameLocation, type StoragePolicy, type StoreLocation } from './policy.ts';
import { type PolicyAttributes, type PolicyDraft, toAttributes, toLocation } from './policy-rules.ts';
import { insertPolicy, isUsed, lockPolicy, updatePolicy } from './queries.ts';

const TAKEN = {
  'storage_policy(name)': 'Another policy has this name.',
  'storage_policy(place)': 'Another policy keeps its objects in this place.',
} as const;

/**
 * How policies come to be and change. Each call is part of the caller's transaction. A policy is never deleted, and which one
 * is the default never changes.
 */
export class PolicyChanges {
  readonly #clock: Clock;
  readonly #onChange: (tx: Tx) => void;

  /** @param onChange hears of each change in its transaction */
  constructor(clock: Clock, onChange: (tx: Tx) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** The place that a draft means. @throws Failure `invalid` */
  toLocation(draft: PolicyDraft): StoreLocation {
    return toLocation(draft);
  }

  /** @throws Failure `invalid` for what the driver of the type cannot do; `conflict` for a name or a place twice */
  async create(tx: Tx, draft: PolicyDraft): Promise<StoragePolicy> {
    const made = await insertPolicy(tx, toAttributes(draft), this.#clock.now()).catch(conflictOn(TAKEN));
    this.#onChange(tx);
    return made;
  }

  /**
   * Absent members of the capabilities stay as they are.
   * @throws Failure `rejected` when the default policy would be disabled or lie elsewhere, or the place would change
   *   although objects lie there; `invalid`, `conflict`, `not-found`
   */
  async update(
    tx: Tx,
    id: number,
    draft: PolicyDraft,
  ): Promise<{ before: StoragePolicy; after: StoragePolicy }> {
    const before = await this.lock(tx, id);
    const kept = before.type === draft.type ? before.capabilities : {};
    const attributes = toAttributes({ ...draft, capabilities: { ...kept, ...draft.capabilities } });
    await this.#checkPlace(tx, before, attributes);
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

  /** The policy, which nobody else changes until the transaction ends. @throws Failure `not-found` */
  async lock(tx: Tx, id: number): Promise<StoragePolicy> {
    const policy = await lockPolicy(tx, id);
    if (policy === undefined) throw new Failure('not-found', 'There is no such storage policy.');
    return policy;
  }

  async #update(tx: Tx, id: number, attributes: PolicyAttributes): Promise<StoragePolicy> {
    const after = await updatePolicy(tx, id, attributes, this.#clock.now()).catch(conflictOn(TAKEN));
    this.#onChange(tx);
    return after;
  }

  async #checkPlace(tx: Tx, before: StoragePolicy, after: StoreLocation): Promise<void> {
    if (isSameLocation(before, after)) return;
    if (before.isDefault) {
      throw new Failure(
        'rejected',
        'Where the default policy keeps its objects is set in the environment of the service.',
      );
    }
    // How a bucket is reached may change as long as it is the same bucket; but nobody can see from here that it is.
    if (await isUsed(tx, before.id)) {
      throw new Failure(
        'rejected',
        'Objects lie in this policy’s place or are moved there, so it cannot be another one.',
      );
    }
  }
}

function checkEnabled({ isDefault }: StoragePolicy, isEnabled: boolean): void {
  if (isDefault && !isEnabled) throw new Failure('rejected', 'The default policy cannot be disabled.');
}
