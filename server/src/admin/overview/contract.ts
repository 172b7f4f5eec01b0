import { type Static, Type } from 'typebox';
import { DAYS_SHOWN, MAX_USERNAMES } from '../../activity/activity.ts';
import { MAX_DEFAULT_DIRECTORIES } from '../../config/config.ts';
import { ByteCount, Id, KeyText, NameText, Nullable, Timestamp } from '../../http/fields.ts';
import { AdminPolicy, Bytes, Count, EntryLimit, PolicyType, Text } from '../contract.ts';

export const Summary = Type.Object({
  totalUsers: Count,
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
/** The defaults of new accounts to change; null for the configured one. */
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
