import { Type } from 'typebox';
import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { enveloped, success } from '../../http/envelope.ts';
import { mapPage, PageOf } from '../../http/fields.ts';
import type { Server } from '../../http/server.ts';
import { MAX_POLICIES } from '../../policies/policies.ts';
import {
  AdminBlob,
  AdminPolicy,
  BlobsQuery,
  PolicyBody,
  PolicyParams,
  PolicyStatusBody,
} from '../contract.ts';
import { toTextFilter } from '../lists/text-filter.ts';
import type { AdminBlobs } from './blobs.ts';
import type { AdminPolicies } from './policies.ts';

const POLICIES = '/api/admin/storage-policies';

/** Stored objects, and the storage policies that say where they are stored. */
export function adminStorageRoutes(server: Server, blobs: AdminBlobs, policies: AdminPolicies): void {
  const config = { access: 'admin', appPassword: 'never' } as const;
  const policy = enveloped(AdminPolicy);

  server.get(
    '/api/admin/file-blobs',
    { config, schema: { querystring: BlobsQuery, response: enveloped(PageOf(AdminBlob)) } },
    async ({ query }) => {
      const filter = {
        userQuery: toTextFilter(query.userQuery),
        policyId: query.storagePolicyId,
        objectKey: toTextFilter(query.objectKey),
        kind: query.entityType,
      };
      return success(mapPage(await blobs.list(filter, toPageRequest(query)), (blob) => blob));
    },
  );

  server.get(
    POLICIES,
    { config, schema: { response: enveloped(Type.Array(AdminPolicy, { maxItems: MAX_POLICIES })) } },
    async () => success([...(await policies.list())]),
  );

  server.post(POLICIES, { config, schema: { body: PolicyBody, response: policy } }, async (request) =>
    success(await policies.create(callerOf(request), request.body)),
  );

  server.put(
    `${POLICIES}/:policyId`,
    { config, schema: { params: PolicyParams, body: PolicyBody, response: policy } },
    async (request) =>
      success(await policies.update(callerOf(request), request.params.policyId, request.body)),
  );

  server.patch(
    `${POLICIES}/:policyId/status`,
    { config, schema: { params: PolicyParams, body: PolicyStatusBody, response: policy } },
    async (request) =>
      success(await policies.setEnabled(callerOf(request), request.params.policyId, request.body.enabled)),
  );
}
