import type { AuditAction, AuditEntry } from '../../audit/audit.ts';
import { toTimestamp } from '../../base/dates.ts';
import type { StoreOwnership } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import {
  noSuchPolicy,
  type Policies,
  type PolicyDraft,
  type StoragePolicy,
} from '../../policies/policies.ts';
import type { AuditedActions } from '../audited-actions.ts';
import type { AdminPolicy } from './contract.ts';

interface AdminPoliciesParts {
  readonly database: Database;
  readonly policies: Policies;
  readonly storeOwnership: StoreOwnership;
  readonly actions: AuditedActions;
}

/**
 * Storage policies as administrators see and change them. They never contain credentials, which are in the
 * environment.
 */
export class AdminPolicies {
  readonly #parts: AdminPoliciesParts;

  constructor(parts: AdminPoliciesParts) {
    this.#parts = parts;
  }

  async list(): Promise<readonly AdminPolicy[]> {
    return (await this.#parts.policies.list(this.#parts.database.db)).map(toAdminPolicy);
  }

  async create(caller: Caller, draft: PolicyDraft): Promise<AdminPolicy> {
    await this.#parts.storeOwnership.checkFree(this.#parts.policies.changes.toLocation(draft));
    const created = await this.#change(caller, 'CREATE_POLICY', async (tx) => {
      const after = await this.#parts.policies.changes.create(tx, draft);
      return { after, verb: 'Created', details: { after: toAuditDetails(after) } };
    });
    await this.#parts.storeOwnership.tryClaim(created.id);
    return created;
  }

  async update(caller: Caller, id: number, draft: PolicyDraft): Promise<AdminPolicy> {
    const location = this.#parts.policies.changes.toLocation(draft);
    // Looked up first, so that a missing policy is not reported as a taken location.
    if ((await this.#parts.policies.find(this.#parts.database.db, id)) === undefined) throw noSuchPolicy();
    await this.#parts.storeOwnership.checkFree(location, id);
    const changed = await this.#change(caller, 'UPDATE_POLICY', async (tx) => {
      const { before, after } = await this.#parts.policies.changes.update(tx, id, draft);
      return {
        after,
        verb: 'Changed',
        details: { before: toAuditDetails(before), after: toAuditDetails(after) },
      };
    });
    await this.#parts.storeOwnership.tryClaim(id);
    return changed;
  }

  setEnabled(caller: Caller, id: number, enabled: boolean): Promise<AdminPolicy> {
    return this.#change(caller, 'UPDATE_POLICY_STATUS', async (tx) => {
      const { before, after } = await this.#parts.policies.changes.setEnabled(tx, id, enabled);
      const details = { before: before.isEnabled, after: after.isEnabled };
      return { after, verb: enabled ? 'Enabled' : 'Disabled', details };
    });
  }

  #change(
    caller: Caller,
    action: AuditAction,
    work: (tx: Tx) => Promise<{ after: StoragePolicy; verb: string; details: AuditEntry['details'] }>,
  ): Promise<AdminPolicy> {
    return this.#parts.actions.perform(caller, async (tx) => {
      const { after, verb, details } = await work(tx);
      const target = { targetType: 'STORAGE_POLICY', targetId: after.id, target: after.name } as const;
      const summary = `${verb} the storage policy ${after.name}.`;
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

/** The members that an administrator can set, for the audit entry. */
function toAuditDetails(policy: StoragePolicy) {
  const {
    id: _id,
    defaultPolicy: _default,
    createdAt: _created,
    updatedAt: _updated,
    ...rest
  } = toAdminPolicy(policy);
  return rest;
}
