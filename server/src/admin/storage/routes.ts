import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { toTextFilter } from '../lists/text-filter.ts';
import type { AdminBlobs } from './blobs.ts';
import { changePolicy, createPolicy, enablePolicy, listBlobs, listPolicies } from './contract.ts';
import type { AdminPolicies } from './policies.ts';

/** Stored objects, and the storage policies that say where they are stored. */
export function adminStorageRoutes(server: Server, blobs: AdminBlobs, policies: AdminPolicies): void {
  mount(server, listBlobs, async ({ query }) => {
    const filter = {
      userQuery: toTextFilter(query.userQuery),
      policyId: query.storagePolicyId,
      objectKey: toTextFilter(query.objectKey),
      kind: query.entityType,
    };
    return blobs.list(filter, toPageRequest(query));
  });

  mount(server, listPolicies, async () => policies.list());

  mount(server, createPolicy, async (request) => policies.create(callerOf(request), request.body));

  mount(server, changePolicy, async (request) =>
    policies.update(callerOf(request), request.params.policyId, request.body),
  );

  mount(server, enablePolicy, async (request) =>
    policies.setEnabled(callerOf(request), request.params.policyId, request.body.enabled),
  );
}
