import type { AdminDrive, AdminUser, InputOf } from '../../../../../client/src/client.ts';
import type { AuditTargetType } from '../../../api/contract.ts';

type QueryOf<List extends 'audits' | 'file-blobs' | 'tasks'> = NonNullable<
  InputOf<`GET /api/admin/${List}`>['query']
>;
type AuditsQuery = QueryOf<'audits'>;
type BlobsQuery = QueryOf<'file-blobs'>;
type TasksQuery = QueryOf<'tasks'>;

// Lists of selectable values. The compiler checks that each is complete.

export const ROLES = listAll<AdminUser['role']>({ USER: 0, MODERATOR: 0, ADMIN: 0 });

export const DRIVE_KINDS = listAll<AdminDrive['kind']>({ PERSONAL: 0, SHARED: 0 });

export const TASK_TYPES = listAll<NonNullable<TasksQuery['type']>>({
  ARCHIVE: 0,
  EXTRACT: 0,
  MEDIA_META: 0,
  STORAGE_POLICY_MIGRATION: 0,
});

export const TASK_STATUSES = listAll<NonNullable<TasksQuery['status']>>({
  QUEUED: 0,
  RUNNING: 0,
  COMPLETED: 0,
  FAILED: 0,
  CANCELLED: 0,
});

export const FAILURE_CATEGORIES = listAll<NonNullable<TasksQuery['failureCategory']>>({
  TRANSIENT_INFRASTRUCTURE: 0,
  RATE_LIMITED: 0,
  UNKNOWN: 0,
  UNSUPPORTED_INPUT: 0,
  DATA_STATE: 0,
});

export const LEASE_STATES = listAll<NonNullable<TasksQuery['leaseState']>>({
  NONE: 0,
  ACTIVE: 0,
  EXPIRED: 0,
});

export const ENTITY_TYPES = listAll<NonNullable<BlobsQuery['entityType']>>({
  FILE: 0,
  AVATAR: 0,
  TRANSFER: 0,
});

export const AUDIT_ACTIONS = listAll<NonNullable<AuditsQuery['actionType']>>({
  UPDATE_INVITE_CODE: 0,
  ROTATE_INVITE_CODE: 0,
  CREATE_INVITE: 0,
  DELETE_INVITE: 0,
  UPDATE_OFFLINE_LIMIT: 0,
  UPDATE_ACCOUNT_DEFAULTS: 0,
  UPDATE_INSTANCE: 0,
  UPDATE_USER_ROLE: 0,
  UPDATE_USER_STATUS: 0,
  UPDATE_USER_PASSWORD: 0,
  RESET_USER_PASSWORD: 0,
  RESET_SECOND_FACTORS: 0,
  DELETE_IDENTITY: 0,
  UPDATE_USER_QUOTA: 0,
  UPDATE_USER_UPLOAD_LIMIT: 0,
  UPDATE_USER_MAX_ENTRIES: 0,
  DELETE_SHARE: 0,
  DELETE_FOLDER_LINK: 0,
  DELETE_FILE: 0,
  CREATE_POLICY: 0,
  UPDATE_POLICY: 0,
  UPDATE_POLICY_STATUS: 0,
  CREATE_MIGRATION: 0,
  CREATE_USER: 0,
  DELETE_USER: 0,
  PUBLISH_RELEASE: 0,
  REMOVE_RELEASE: 0,
  REPAIR: 0,
  SET_UP_TOTP: 0,
  REMOVE_TOTP: 0,
  RENEW_RECOVERY_CODES: 0,
  ADD_PASSKEY: 0,
  REMOVE_PASSKEY: 0,
  LINK_IDENTITY: 0,
  UNLINK_IDENTITY: 0,
  CHANGE_PASSWORD: 0,
  RESET_PASSWORD: 0,
  CREATE_APP_PASSWORD: 0,
  DELETE_APP_PASSWORD: 0,
  CREATE_DRIVE: 0,
  UPDATE_DRIVE_LIMITS: 0,
  SET_DRIVE_MEMBER: 0,
  DELETE_DRIVE: 0,
  RESTORE_DRIVE: 0,
  CLEAR_FAILED_MAILS: 0,
});

export const TARGET_TYPES = listAll<AuditTargetType>({
  USER: 0,
  FILE: 0,
  SHARE: 0,
  FOLDER_LINK: 0,
  STORAGE_POLICY: 0,
  TASK: 0,
  SETTING: 0,
  INVITE: 0,
  RELEASE: 0,
  FAULT: 0,
  DRIVE: 0,
});

/** The matching known value; undefined for a value of a newer service. */
export function findKnown<T extends string>(all: readonly T[], word: string | null): T | undefined {
  return all.find((known) => known === word);
}

function listAll<T extends string>(all: Readonly<Record<T, 0>>): readonly T[] {
  // Its keys are exactly these values.
  return Object.keys(all) as T[];
}
