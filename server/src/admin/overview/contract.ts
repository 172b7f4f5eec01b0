import { type Static, Type } from 'typebox';
import { DAYS_SHOWN, MAX_USERNAMES } from '../../activity/activity.ts';
import { AUDIT_ACTIONS, COMMAND_ACTIONS, OWNER_ACTIONS } from '../../audit/contract.ts';
import { MAX_DEFAULT_DIRECTORIES } from '../../config/config.ts';
import { EXAMPLE } from '../../http/examples.ts';
import {
  ByteCount,
  Id,
  KeyText,
  NameText,
  Nullable,
  PageOf,
  pageQuery,
  Timestamp,
} from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { Bytes, Count, EntryLimit, Filter, Text } from '../fields.ts';
import { MAX_FILTER_LENGTH } from '../lists/text-filter.ts';
import { AdminPolicy, PolicyType } from '../storage/contract.ts';

export const Summary = Type.Object({
  totalUsers: Count,
  totalSharedDrives: Type.Integer({ minimum: 0, description: 'without deleted ones' }),
  totalFiles: Count,
  totalStorageBytes: ByteCount,
  inviteCode: Nullable(Text),
  requestCount: Count,
  requestTimeline: Type.Array(Type.Object({ hour: Count, label: Text, requestCount: Count }), {
    maxItems: 25,
  }),
  dailyActiveUsers: Type.Array(
    Type.Object({
      date: Text,
      label: Text,
      userCount: Count,
      usernames: Type.Array(Text, {
        maxItems: MAX_USERNAMES,
        description: 'the first ones of `userCount`, by name',
      }),
    }),
    { maxItems: DAYS_SHOWN },
  ),
  offlineTransferStorageBytes: ByteCount,
  offlineTransferStorageLimitBytes: ByteCount,
});
export type Summary = Static<typeof Summary>;

export const InviteCode = Type.Object({ inviteCode: KeyText });
export type InviteCode = Static<typeof InviteCode>;
/** The defaults of new accounts to change; null restores the configured value. */
export const AccountDefaultsBody = Type.Object(
  {
    defaultStorageQuotaBytes: Type.Optional(Nullable(Bytes)),
    defaultMaxUploadSizeBytes: Type.Optional(Nullable(Bytes)),
    defaultMaxEntries: Type.Optional(Nullable(EntryLimit)),
    defaultDirectories: Type.Optional(
      Nullable(
        Type.Array(NameText, {
          maxItems: MAX_DEFAULT_DIRECTORIES,
          description: 'the directories of a new drive',
        }),
      ),
    ),
  },
  { minProperties: 1 },
);
export type AccountDefaultsBody = Static<typeof AccountDefaultsBody>;
export const AccountDefaultsRecord = Type.Object({
  defaultStorageQuotaBytes: ByteCount,
  defaultMaxUploadSizeBytes: ByteCount,
  defaultMaxEntries: Count,
  defaultDirectories: Type.Array(Text, { maxItems: MAX_DEFAULT_DIRECTORIES }),
});
export type AccountDefaultsRecord = Static<typeof AccountDefaultsRecord>;
export const OfflineLimit = Type.Object({ offlineTransferStorageLimitBytes: ByteCount });
export type OfflineLimit = Static<typeof OfflineLimit>;

const Seconds = Type.Number({ minimum: 0 });

export const SettingsSnapshot = Type.Object({
  registration: Type.Object({
    inviteCode: Nullable(Text),
    ...AccountDefaultsRecord.properties,
  }),
  sessions: Type.Object({
    accessTokenSeconds: Seconds,
    refreshTokenSeconds: Seconds,
    devLogin: Type.Boolean(),
    rateLimits: Type.Boolean(),
  }),
  drives: Type.Object({
    sharedDriveCreators: Type.Enum(['all', 'admins', 'off']),
    maxSharedDrives: Type.Integer({ minimum: 0, description: 'that one account may have created' }),
    deletedDriveRetentionSeconds: Seconds,
    peopleSearch: Type.Enum(['known', 'all']),
  }),
  transfer: Type.Object({
    onlineSeconds: Seconds,
    offlineSeconds: Seconds,
    offlineTransferStorageLimitBytes: ByteCount,
    iceServerCount: Count,
  }),
  tasks: Type.Object({
    cleanupIntervalSeconds: Seconds,
    recycleRetentionSeconds: Seconds,
    uploadSessionSeconds: Seconds,
    sweepGraceSeconds: Seconds,
  }),
  storage: Type.Object({
    type: PolicyType,
    defaultPolicyId: Id,
    downloadUrlSeconds: Seconds,
    accelRedirect: Type.Boolean(),
  }),
  database: Type.Object({ engine: Type.Enum(['sqlite', 'postgres']) }),
  timeZone: Text,
  version: Text,
});
export type SettingsSnapshot = Static<typeof SettingsSnapshot>;

export const JobRunRecord = Type.Object({
  name: Text,
  endedAt: Timestamp,
  succeededAt: Nullable(Type.String({ description: 'the end of the last run that succeeded' })),
  durationSeconds: Seconds,
  failures: Type.Integer({ minimum: 0, description: 'the runs that have failed so far' }),
  error: Nullable(Type.String({ description: 'why the last run failed; null if it succeeded' })),
});
export type JobRunRecord = Static<typeof JobRunRecord>;

const lastRunOf = (command: string) =>
  Nullable(Type.Object(JobRunRecord.properties, { description: `the last run of \`${command}\`` }));

export const Maintenance = Type.Object({
  backup: lastRunOf('holdall backup'),
  doctor: lastRunOf('holdall doctor'),
  deepDoctor: lastRunOf('holdall doctor --deep'),
  jobs: Type.Array(JobRunRecord, {
    maxItems: 200,
    description: 'the last run of each maintenance job, by name',
  }),
});
export type Maintenance = Static<typeof Maintenance>;

export const Filesystem = Type.Object({
  defaultPolicy: AdminPolicy,
  policyCount: Count,
  storedObjectCount: Count,
  storedBytes: ByteCount,
  dataDirectory: Type.Object({
    totalBytes: ByteCount,
    freeBytes: ByteCount,
    availableBytes: ByteCount,
    minFreeBytes: ByteCount,
  }),
  objectsOnDataDirectory: Type.Boolean(),
});
export type Filesystem = Static<typeof Filesystem>;

const Exact = Type.Optional(Type.String({ maxLength: MAX_FILTER_LENGTH }));

const AuditsQuery = Type.Object({
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

export const getSummary = operation('GET /api/admin/summary', {
  does: 'Shows the figures of the whole service.',
  access: 'admin',
  appPassword: 'never',
  data: Summary,
  example: {},
});

export const getSettings = operation('GET /api/admin/settings', {
  does: 'Shows the settings in force.',
  access: 'admin',
  appPassword: 'never',
  data: SettingsSnapshot,
  example: {},
});

export const getFilesystem = operation('GET /api/admin/filesystem', {
  does: 'Tells where data is stored and how much room there is.',
  access: 'admin',
  appPassword: 'never',
  data: Filesystem,
  example: {},
});

export const getMaintenance = operation('GET /api/admin/maintenance', {
  does: 'Shows the last backup, doctor and maintenance runs, and how they ended.',
  access: 'admin',
  appPassword: 'never',
  data: Maintenance,
  example: {},
});

export const setInviteCode = operation('PATCH /api/admin/settings/registration/invite-code', {
  does: 'Changes the invite code of the settings.',
  access: 'admin',
  appPassword: 'never',
  body: InviteCode,
  data: InviteCode,
  example: { body: { inviteCode: EXAMPLE.newInviteCode } },
});

export const rotateInviteCode = operation('POST /api/admin/settings/registration/invite-code/rotate', {
  does: 'Replaces the invite code of the settings with a random one.',
  access: 'admin',
  appPassword: 'never',
  data: InviteCode,
  example: {},
});

export const setAccountDefaults = operation('PATCH /api/admin/settings/registration/account-defaults', {
  does: 'Changes what new accounts get.',
  access: 'admin',
  appPassword: 'never',
  body: AccountDefaultsBody,
  data: AccountDefaultsRecord,
  example: { body: { defaultMaxEntries: 10_000, defaultDirectories: ['Documents'] } },
});

export const setOfflineLimit = operation('PATCH /api/admin/settings/offline-transfer-storage-limit', {
  does: 'Changes the storage limit of all OFFLINE transfers together.',
  access: 'admin',
  appPassword: 'never',
  body: OfflineLimit,
  data: OfflineLimit,
  example: { body: { offlineTransferStorageLimitBytes: 1_000_000_000 } },
});

export const listAudits = operation('GET /api/admin/audits', {
  does: 'Lists the entries of the audit log, the newest first.',
  access: 'admin',
  appPassword: 'never',
  query: AuditsQuery,
  data: PageOf(AdminAudit),
  example: { query: { actionType: 'UPDATE_USER_ROLE', page: 0, size: 20 } },
});
