import { type Static, Type } from 'typebox';
import { MAX_IDENTITIES } from '../accounts/accounts.ts';
import { EmailText, PasswordText, PhoneText, UsernameText } from '../accounts/contract.ts';
import { AUDIT_ACTIONS, COMMAND_ACTIONS, OWNER_ACTIONS } from '../audit/contract.ts';
import { EntryFacts } from '../drive/contract.ts';
import { FolderLinkRecord } from '../folder-links/contract.ts';
import { ByteCount, Id, Nullable, pageQuery, Timestamp, TimestampText } from '../http/fields.ts';
import { CorrelationId, TaskRecord } from '../tasks/contract.ts';
import { MAX_FILTER_LENGTH } from './lists/text-filter.ts';

export const Text = Type.String();
export const Count = Type.Integer({ minimum: 0 });
export const Bytes = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const EntryLimit = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Filter = Type.Optional(
  Type.String({
    maxLength: MAX_FILTER_LENGTH,
    description: 'matches a part of the text, without regard to case',
  }),
);
const Exact = Type.Optional(Type.String({ maxLength: MAX_FILTER_LENGTH }));
const Role = Type.Enum(['USER', 'MODERATOR', 'ADMIN']);

// ---- accounts

export const UserParams = Type.Object({ userId: Id });
export const UsersQuery = Type.Object({ ...pageQuery, query: Filter, role: Type.Optional(Role) });

export const AdminUser = Type.Object({
  id: Id,
  username: Text,
  displayName: Text,
  email: Nullable(Text),
  phoneNumber: Nullable(Text),
  role: Role,
  banned: Type.Boolean(),
  deleting: Type.Boolean({ description: 'whether the account and its data are being deleted' }),
  storageUsedBytes: ByteCount,
  storageQuotaBytes: ByteCount,
  maxUploadSizeBytes: ByteCount,
  maxEntries: Count,
  entryCount: Count,
  fileCount: Count,
  totp: Type.Boolean({ description: 'whether an authenticator app is set up' }),
  passkeys: Count,
  identities: Type.Array(Type.Object({ id: Id, issuer: Text, createdAt: Timestamp }), {
    maxItems: MAX_IDENTITIES,
  }),
  hasPassword: Type.Boolean(),
  createdAt: Timestamp,
  lastActiveAt: Nullable(Timestamp),
});
export type AdminUser = Static<typeof AdminUser>;

export const UserIdentityParams = Type.Object({ userId: Id, identityId: Id });

export const NewUserBody = Type.Object({
  username: UsernameText,
  email: EmailText,
  phoneNumber: PhoneText,
  password: Type.Optional(Nullable(PasswordText)),
});
export type NewUserBody = Static<typeof NewUserBody>;

export const NewAdminUser = Type.Object({
  ...AdminUser.properties,
  temporaryPassword: Nullable(Type.String({ description: 'the generated password, only in this response' })),
});
export type NewAdminUser = Static<typeof NewAdminUser>;

export const RoleBody = Type.Object({ role: Role });
export const StatusBody = Type.Object({
  banned: Type.Optional(Type.Boolean()),
  status: Type.Optional(Type.Enum(['ACTIVE', 'BANNED'])),
});
export type StatusBody = Static<typeof StatusBody>;
export const DeleteUserBody = Type.Object({
  username: Type.String({ maxLength: 64, description: 'that of the account, as a check' }),
});
export const NewPasswordBody = Type.Object({ newPassword: PasswordText });
export const TemporaryPassword = Type.Object({ temporaryPassword: Text });
export type TemporaryPassword = Static<typeof TemporaryPassword>;
export const QuotaBody = Type.Object({ storageQuotaBytes: Bytes });
export const UploadLimitBody = Type.Object({ maxUploadSizeBytes: Bytes });
export const MaxEntriesBody = Type.Object({ maxEntries: EntryLimit });

// ---- invites

export const InviteParams = Type.Object({ id: Id });
export const InvitesQuery = Type.Object(pageQuery);

export const InviteBody = Type.Object({
  note: Type.Optional(Nullable(Type.String({ maxLength: 1_600 }))),
  expiresAt: Type.Optional(Nullable(TimestampText)),
  uses: Type.Integer({ minimum: 1, maximum: 1_000 }),
});
export type InviteBody = Static<typeof InviteBody>;

export const AdminInvite = Type.Object({
  id: Id,
  code: Text,
  note: Nullable(Text),
  uses: Count,
  usedCount: Count,
  state: Type.Enum(['ACTIVE', 'EXPIRED', 'USED_UP']),
  expiresAt: Nullable(Timestamp),
  createdAt: Timestamp,
});
export type AdminInvite = Static<typeof AdminInvite>;

// ---- files and shares

const owner = { ownerId: Id, ownerUsername: Text, ownerEmail: Nullable(Text) };

export const FileParams = Type.Object({ fileId: Id });
export const FilesQuery = Type.Object({ ...pageQuery, query: Filter, ownerQuery: Filter });

export const AdminFile = Type.Object({ ...EntryFacts.properties, ...owner });
export type AdminFile = Static<typeof AdminFile>;

export const ShareParams = Type.Object({ shareId: Id });
export const SharesQuery = Type.Object({
  ...pageQuery,
  userQuery: Filter,
  fileName: Filter,
  token: Filter,
  passwordProtected: Type.Optional(Type.Boolean()),
  expired: Type.Optional(Type.Boolean()),
});

export const AdminShare = Type.Object({
  id: Id,
  kind: Type.Enum(['V2', 'LEGACY']),
  token: Text,
  shareName: Text,
  ...owner,
  passwordRequired: Type.Boolean(),
  passwordVerified: Type.Boolean(),
  passwordProtected: Type.Boolean(),
  allowImport: Type.Boolean(),
  allowDownload: Type.Boolean(),
  maxDownloads: Nullable(Type.Integer()),
  downloadCount: Count,
  viewCount: Count,
  expiresAt: Nullable(Timestamp),
  expired: Type.Boolean(),
  exhausted: Type.Boolean(),
  createdAt: Timestamp,
  fileId: Id,
  fileName: Text,
  filePath: Text,
  fileSize: ByteCount,
  fileContentType: Nullable(Text),
});
export type AdminShare = Static<typeof AdminShare>;

export const FolderLinkParams = Type.Object({ linkId: Id });

export const AdminFolderLink = Type.Object({
  ...FolderLinkRecord.properties,
  ...owner,
  expired: Type.Boolean(),
});
export type AdminFolderLink = Static<typeof AdminFolderLink>;

// ---- stored objects and storage policies

const EntityType = Type.Enum(['FILE', 'AVATAR', 'TRANSFER']);

export const BlobsQuery = Type.Object({
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
  linkedOwnerCount: Count,
  sampleOwnerUsername: Nullable(Text),
  sampleOwnerEmail: Nullable(Text),
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

export const PolicyParams = Type.Object({ policyId: Id });
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

// ---- background tasks

const LeaseState = Type.Enum(['NONE', 'ACTIVE', 'EXPIRED']);
export type LeaseState = Static<typeof LeaseState>;

export const AdminTaskParams = Type.Object({ taskId: Id });
export const TasksQuery = Type.Object({
  ...pageQuery,
  userQuery: Filter,
  type: Type.Optional(Type.Enum(['ARCHIVE', 'EXTRACT', 'MEDIA_META', 'STORAGE_POLICY_MIGRATION'])),
  status: Type.Optional(Type.Enum(['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'])),
  failureCategory: Type.Optional(
    Type.Enum(['TRANSIENT_INFRASTRUCTURE', 'RATE_LIMITED', 'UNKNOWN', 'UNSUPPORTED_INPUT', 'DATA_STATE']),
  ),
  leaseState: Type.Optional(LeaseState),
});

export const AdminTask = Type.Object({
  ...TaskRecord.properties,
  ownerUsername: Text,
  ownerEmail: Nullable(Text),
  attemptCount: Count,
  maxAttempts: Count,
  retryScheduled: Type.Boolean(),
  workerOwner: Nullable(Text),
  leaseState: LeaseState,
});
export type AdminTask = Static<typeof AdminTask>;

export const MigrationBody = Type.Object({
  sourcePolicyId: Id,
  targetPolicyId: Id,
  correlationId: CorrelationId,
});
export type MigrationBody = Static<typeof MigrationBody>;

// ---- the audit log

export const AuditsQuery = Type.Object({
  ...pageQuery,
  actorQuery: Filter,
  actionType: Type.Optional(Type.Enum([...AUDIT_ACTIONS, ...COMMAND_ACTIONS, ...OWNER_ACTIONS])),
  targetType: Exact,
  targetId: Exact,
});

export const AdminAudit = Type.Object({
  id: Id,
  actor: Text,
  actorId: Nullable(Id),
  action: Text,
  target: Text,
  targetType: Text,
  targetId: Nullable(Text),
  summary: Text,
  detailsJson: Type.Record(Text, Type.Unknown()),
  createdAt: Timestamp,
});
export type AdminAudit = Static<typeof AdminAudit>;
