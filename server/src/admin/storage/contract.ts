import { type Static, Type } from 'typebox';
import { EXAMPLE } from '../../http/examples.ts';
import { ByteCount, Id, Nullable, PageOf, pageQuery, Timestamp } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { MAX_POLICIES } from '../../policies/policies.ts';
import { Bytes, Count, Filter, Text } from '../fields.ts';

const EntityType = Type.Enum(['FILE', 'AVATAR', 'TRANSFER']);

const BlobsQuery = Type.Object({
  ...pageQuery,
  userQuery: Filter,
  storagePolicyId: Type.Optional(Id),
  objectKey: Filter,
  entityType: Type.Optional(EntityType),
});

export const AdminBlob = Type.Object({
  id: Id,
  objectKey: Text,
  entityType: EntityType,
  storagePolicyId: Id,
  size: ByteCount,
  contentType: Nullable(Text),
  sha256: Nullable(Text),
  referenceCount: Count,
  linkedStoredFileCount: Count,
  linkedOwnerCount: Type.Integer({ minimum: 0, description: 'accounts and shared drives' }),
  sampleOwnerUsername: Nullable(Text),
  sampleOwnerEmail: Nullable(Text),
  sampleDriveId: Nullable(Type.Integer({ minimum: 1, description: 'a shared drive that uses it' })),
  sampleDriveName: Nullable(Text),
  createdByUserId: Type.Integer({ minimum: 0, description: '0: stored by the command line' }),
  createdByUsername: Nullable(Text),
  blobMissing: Nullable(Type.Boolean({ description: 'null if the store did not answer' })),
  orphanRisk: Type.Boolean(),
  referenceMismatch: Type.Boolean(),
  createdAt: Timestamp,
});
export type AdminBlob = Static<typeof AdminBlob>;

const Capabilities = Type.Object({
  directUpload: Type.Boolean(),
  multipartUpload: Type.Boolean(),
  signedDownloadUrl: Type.Boolean(),
  serverProxyDownload: Type.Boolean(),
  requiresCors: Type.Boolean(),
  maxObjectSize: Bytes,
});

export const PolicyType = Type.Enum(['LOCAL', 'S3_COMPATIBLE']);
const CredentialMode = Type.Enum(['NONE', 'STATIC']);
const PlaceField = Type.Optional(Nullable(Type.String({ maxLength: 1_024 })));

const PolicyParams = Type.Object({ policyId: Id });
export const PolicyBody = Type.Object({
  name: Type.String({ maxLength: 512 }),
  type: PolicyType,
  bucketName: PlaceField,
  endpoint: PlaceField,
  region: PlaceField,
  prefix: PlaceField,
  credentialMode: CredentialMode,
  maxSizeBytes: Bytes,
  capabilities: Type.Partial(Capabilities),
  enabled: Type.Boolean(),
});
export type PolicyBody = Static<typeof PolicyBody>;
export const PolicyStatusBody = Type.Object({ enabled: Type.Boolean() });

export const AdminPolicy = Type.Object({
  id: Id,
  name: Text,
  type: PolicyType,
  bucketName: Nullable(Text),
  endpoint: Nullable(Text),
  region: Nullable(Text),
  prefix: Nullable(Text),
  credentialMode: CredentialMode,
  maxSizeBytes: ByteCount,
  capabilities: Capabilities,
  enabled: Type.Boolean(),
  defaultPolicy: Type.Boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type AdminPolicy = Static<typeof AdminPolicy>;

const examplePolicy = {
  name: 'Archive',
  type: 'LOCAL',
  credentialMode: 'NONE',
  maxSizeBytes: 1_000_000_000,
  capabilities: {},
  enabled: true,
};

export const listBlobs = operation('GET /api/admin/file-blobs', {
  does: 'Lists the stored objects, the newest first.',
  access: 'admin',
  appPassword: 'never',
  query: BlobsQuery,
  data: PageOf(AdminBlob),
  example: { query: { entityType: 'FILE', page: 0, size: 20 } },
});

export const listPolicies = operation('GET /api/admin/storage-policies', {
  does: 'Lists the storage policies.',
  access: 'admin',
  appPassword: 'never',
  data: Type.Array(AdminPolicy, { maxItems: MAX_POLICIES }),
  example: {},
});

export const createPolicy = operation('POST /api/admin/storage-policies', {
  does: 'Creates a storage policy.',
  access: 'admin',
  appPassword: 'never',
  body: PolicyBody,
  data: AdminPolicy,
  example: { body: examplePolicy },
});

export const changePolicy = operation('PUT /api/admin/storage-policies/{policyId}', {
  does: 'Replaces all attributes of a storage policy.',
  access: 'admin',
  appPassword: 'never',
  path: PolicyParams,
  body: PolicyBody,
  data: AdminPolicy,
  example: { path: { policyId: EXAMPLE.policy }, body: examplePolicy },
});

export const enablePolicy = operation('PATCH /api/admin/storage-policies/{policyId}/status', {
  does: 'Enables or disables a storage policy.',
  access: 'admin',
  appPassword: 'never',
  path: PolicyParams,
  body: PolicyStatusBody,
  data: AdminPolicy,
  example: { path: { policyId: EXAMPLE.policy }, body: { enabled: false } },
});
