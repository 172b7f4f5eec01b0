import { type Static, type TObject, Type } from 'typebox';
import { SECURITY_ACTIONS } from '../base/domain/accounts.ts';
import {
  LINK_KINDS,
  MAX_NAMED_SENDERS,
  type NotificationData,
  type NotificationKind,
  SERVICE_FAULTS,
  SHARE_END_REASONS,
} from '../base/domain/notifications.ts';
import { MAX_PAGE_SIZE } from '../base/page.ts';
import { EXAMPLE } from '../http/examples.ts';
import { ByteCount, Id, Nullable, pageQuery, RoleInDrive, Timestamp } from '../http/fields.ts';
import { operation } from '../http/operation.ts';

/** The maximum number of notifications that one request can name. */
const MAX_NAMED = 100;

const Count = Type.Integer({ minimum: 0 });
const InstantMs = Type.Integer({ description: 'milliseconds since 1970' });
const DriveName = Nullable(Type.String({ description: 'null for the personal drive' }));

/** The members of `NotificationData`, which a check below compares. */
const data = {
  DRIVE_MEMBER: Type.Object({
    driveId: Id,
    driveName: Type.String(),
    role: RoleInDrive,
    isNew: Type.Boolean({ description: 'false if only the role was changed' }),
    byName: Nullable(Type.String({ description: 'null for the service itself' })),
  }),
  LINK_FILES: Type.Object({
    linkId: Id,
    title: Type.String(),
    driveId: Id,
    driveName: DriveName,
    directoryId: Id,
    files: Count,
    bytes: ByteCount,
    senders: Type.Array(Type.String(), { maxItems: MAX_NAMED_SENDERS }),
  }),
  TRANSFER_FETCHED: Type.Object({
    files: Count,
    fileName: Type.String({ description: 'of the first file; empty if it is encrypted' }),
  }),
  SHARE_ENDED: Type.Object({
    of: Type.Enum([...LINK_KINDS]),
    id: Id,
    name: Type.String(),
    driveId: Id,
    reason: Type.Enum([...SHARE_END_REASONS]),
    expiresAt: Nullable(InstantMs),
  }),
  SECURITY: Type.Object({
    event: Type.Enum(['NEW_LOGIN', ...SECURITY_ACTIONS], {
      description: 'a new login, or a change as in the audit log',
    }),
    program: Nullable(Type.String({ description: 'what the client calls itself' })),
    address: Nullable(Type.String()),
  }),
  DRIVE_FULL: Type.Object({
    driveId: Id,
    driveName: DriveName,
    usedBytes: ByteCount,
    quotaBytes: ByteCount,
  }),
  TASK_FAILED: Type.Object({
    taskId: Id,
    type: Type.String(),
    driveId: Id,
    error: Type.String({ description: 'a sentence for people' }),
  }),
  SERVICE_FAULT: Type.Object({
    fault: Type.Enum([...SERVICE_FAULTS]),
    name: Type.String({ description: 'the job, or a directory on the disk' }),
    message: Type.String(),
  }),
} as const satisfies Readonly<Record<NotificationKind, TObject>>;

type SchemaData = { readonly [K in NotificationKind]: Static<(typeof data)[K]> };

/** Fails to compile if the schemas and the types of the domain differ. */
type Equal<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T;
const isEqual: Equal<Plain<SchemaData>, Plain<NotificationData>> = true;
void isEqual;

function recordOf<K extends NotificationKind, D extends TObject>(kind: K, dataOfKind: D) {
  return Type.Object({
    id: Id,
    kind: Type.Literal(kind),
    at: Timestamp,
    readAt: Nullable(Timestamp),
    data: dataOfKind,
  });
}

export const DriveMemberNotification = recordOf('DRIVE_MEMBER', data.DRIVE_MEMBER);
export const LinkFilesNotification = recordOf('LINK_FILES', data.LINK_FILES);
export const TransferFetchedNotification = recordOf('TRANSFER_FETCHED', data.TRANSFER_FETCHED);
export const ShareEndedNotification = recordOf('SHARE_ENDED', data.SHARE_ENDED);
export const SecurityNotification = recordOf('SECURITY', data.SECURITY);
export const DriveFullNotification = recordOf('DRIVE_FULL', data.DRIVE_FULL);
export const TaskFailedNotification = recordOf('TASK_FAILED', data.TASK_FAILED);
export const ServiceFaultNotification = recordOf('SERVICE_FAULT', data.SERVICE_FAULT);

const NotificationRecord = Type.Union([
  DriveMemberNotification,
  LinkFilesNotification,
  TransferFetchedNotification,
  ShareEndedNotification,
  SecurityNotification,
  DriveFullNotification,
  TaskFailedNotification,
  ServiceFaultNotification,
]);
export type NotificationRecord = Static<typeof NotificationRecord>;

export const NotificationPage = Type.Object({
  items: Type.Array(NotificationRecord, { maxItems: MAX_PAGE_SIZE }),
  total: Type.Integer(),
  page: Type.Integer(),
  size: Type.Integer(),
  unread: Type.Integer({ minimum: 0, description: 'of all notifications, not only of this page' }),
});

export const ReadNotificationsBody = Type.Object({
  ids: Type.Optional(Type.Array(Id, { maxItems: MAX_NAMED })),
  until: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'an id: also every notification up to this one',
    }),
  ),
});
export type ReadNotificationsBody = Static<typeof ReadNotificationsBody>;

export const UnreadCount = Type.Object({ unread: Type.Integer({ minimum: 0 }) });

export const NotificationSetting = Type.Object({
  app: Type.Boolean(),
  mail: Type.Boolean(),
  isMailFixed: Type.Boolean({ description: 'whether mail is always sent and cannot be turned off' }),
});

const NewSetting = Type.Optional(Type.Object({ app: Type.Boolean(), mail: Type.Boolean() }));

function ofEachKind<T extends Parameters<typeof Type.Object>[0][string]>(schema: T) {
  return Type.Object({
    DRIVE_MEMBER: schema,
    LINK_FILES: schema,
    TRANSFER_FETCHED: schema,
    SHARE_ENDED: schema,
    SECURITY: schema,
    DRIVE_FULL: schema,
    TASK_FAILED: schema,
    SERVICE_FAULT: schema,
  } satisfies Record<NotificationKind, T>);
}

export const NotificationSettings = ofEachKind(NotificationSetting);
export type NotificationSettings = Static<typeof NotificationSettings>;

/** Missing kinds stay unchanged. */
export const NotificationSettingsBody = ofEachKind(NewSetting);
export type NotificationSettingsBody = Static<typeof NotificationSettingsBody>;

// A program has no use for what a person is told, so all operations need a login.

export const listNotifications = operation('GET /api/v2/notifications', {
  does: 'Lists what the caller was told in the last 90 days, the newest first.',
  access: 'login',
  appPassword: 'never',
  query: Type.Object({
    ...pageQuery,
    unread: Type.Optional(Type.Boolean({ description: 'only those that are unread' })),
  }),
  data: NotificationPage,
  example: { query: { size: 20 } },
});

export const readNotifications = operation('POST /api/v2/notifications/read', {
  does: 'Marks notifications of the caller as read.',
  access: 'login',
  appPassword: 'never',
  body: ReadNotificationsBody,
  data: UnreadCount,
  example: { body: { ids: [EXAMPLE.notification] } },
});

export const getNotificationSettings = operation('GET /api/user/notification-settings', {
  does: 'Tells which kinds of notifications the caller gets in the app and by mail.',
  access: 'login',
  appPassword: 'never',
  data: NotificationSettings,
  example: {},
});

export const putNotificationSettings = operation('PUT /api/user/notification-settings', {
  does: 'Changes which kinds of notifications the caller gets in the app and by mail.',
  access: 'login',
  appPassword: 'never',
  body: NotificationSettingsBody,
  data: NotificationSettings,
  example: { body: { DRIVE_FULL: { app: true, mail: false } } },
});
