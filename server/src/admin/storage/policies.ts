import type { AuditAction, AuditEntry } from '../../audit/audit.ts';
import { toTimestamp } from '../../base/clock.ts';
import type { StoreOwnership } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import type { Policies, PolicyDraft, StoragePolicy } from '../../policies/policies.ts';
import type { Acts } from '../acts.ts';
import type { AdminPolicy } from '../contract.ts';

/** Storage policies, as admins keep them. Never with credentials: those are in the environment only. */
export class AdminPolicies {
  readonly #database: Database;
  readonly #policies: Policies;
  readonly #storeOwnership: StoreOwnership;
  readonly #acts: Acts;

  constructor(parts: { database: Database; policies: Policies; storeOwnership: StoreOwnership; acts: Acts }) {
    this.#database = parts.database;
    this.#policies = parts.policies;
    this.#storeOwnership = parts.storeOwnership;
    this.#acts = parts.acts;
  }

  async list(): Promise<readonly AdminPolicy[]> {
    return (await this.#policies.list(this.#database.db)).map(toAdminPolicy);
  }

  async create(caller: Caller, draft: PolicyDraft): Promise<AdminPolicy> {
    await this.#storeOwnership.checkFree(this.#policies.changes.toLocation(draft));
    const made = await this.#change(caller, 'CREATE_POLICY', async (tx) => {
      const after = await this.#policies.changes.create(tx, draft);
      return { after, deed: 'Created', details: { after: describe(after) } };
    });
    await this.#storeOwnership.tryClaim(made.id);
    return made;
  }

  async update(caller: Caller, id: number, draft: PolicyDraft): Promise<AdminPolicy> {
    await this.#storeOwnership.checkFree(this.#policies.changes.toLocation(draft), id);
    const changed = await this.#change(caller, 'UPDATE_POLICY', async (tx) => {
      const { before, after } = await this.#policies.changes.update(tx, id, draft);
      return { after, deed: 'Changed', details: { before: describe(before), after: describe(after) } };
    });
    await this.#storeOwnership.tryClaim(id);
    return changed;
  }

  setEnabled(caller: Caller, id: number, enabled: boolean): Promise<AdminPolicy> {
    return this.#change(caller, 'UPDATE_POLICY_STATUS', async (tx) => {
      const { before, after } = await this.#policies.changes.setEnabled(tx, id, enabled);
      const details = { before: before.isEnabled, after: after.isEnabled };
      return { after, deed: enabled ? 'Enabled' : 'Disabled', details };
    });
  }

  #change(
    caller: Caller,
    action: AuditAction,
    work: (tx: Tx) => Promise<{ after: StoragePolicy; deed: string; details: AuditEntry['details'] }>,
  ): Promise<AdminPolicy> {
    return this.#acts.perform(caller, async (tx) => {
      const { after, deed, details } = await work(tx);
      const target = { targetType: 'STORAGE_POLICY', targetId: after.id, target: after.name } as const;
      const summary = `${deed} the storage policy ${after.name}.`;
      return { result: toAdminPolicy(after), entry: { action, ...target, summary, details } };
    });
  }
}

export function toAdminPolicy(policy: StoragePolicy): AdminPolicy {
  return {
    id: policy.id,
    name: policy.name,
    type: policy.type,
    bucketName: policy.bucketName,
    endpoint: policy.endpoint,
    region: policy.region,
    prefix: policy.prefix || null,
    credentialMode: policy.credentialMode,
    maxSizeBytes: policy.maxSizeBytes,
    capabilities: policy.capabilities,
    enabled: policy.isEnabled,
    defaultPolicy: policy.isDefault,
    createdAt: toTimestamp(policy.createdAt),
    updatedAt: toTimestamp(policy.updatedAt),
  };
}

/** What an admin can say of it. */
function describe(policy: StoragePolicy) {
  const {
    id: _id,
    defaultPolicy: _default,
    createdAt: _created,
    updatedAt: _updated,
    ...rest
  } = toAdminPolicy(policy);
  return rest;
}
