import type { Clock } from '../../../src/base/clock.ts';
import type { Database } from '../../../src/database/database.ts';
import { Policies } from '../../../src/policies/policies.ts';
import type { ObjectStore } from '../../../src/storage/object-store.ts';

/** Creates a default policy on the given store, for tests without a running service. */
export async function openSinglePolicy(
  database: Database,
  store: ObjectStore,
  clock: Clock,
): Promise<{ policies: Policies; policyId: number }> {
  const policies = new Policies({ database, clock, openStore: async () => store });
  const location = { type: 'LOCAL', bucketName: null, endpoint: null, region: null, prefix: '' } as const;
  await policies.configure(location);
  const { id: policyId } = await policies.getOrCreateDefault();
  return { policies, policyId };
}
