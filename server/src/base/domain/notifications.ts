import type { SecurityAction } from './accounts.ts';
import type { DriveRole } from './drives.ts';

/** Whether the owner of an account gets a kind of notification in the app and by mail. */
interface DefaultDelivery {
  readonly app: boolean;
  /** `always` cannot be turned off. */
  readonly mail: 'on' | 'off' | 'always';
}

/** The kinds of notifications, and how they are delivered to someone who has chosen nothing else. */
export const DEFAULT_DELIVERY = {
  DRIVE_MEMBER: { app: true, mail: 'on' },
  LINK_FILES: { app: true, mail: 'on' },
  TRANSFER_FETCHED: { app: true, mail: 'off' },
  SHARE_ENDED: { app: true, mail: 'off' },
  SECURITY: { app: true, mail: 'always' },
  DRIVE_FULL: { app: true, mail: 'on' },
  TASK_FAILED: { app: true, mail: 'off' },
  /** Goes to administrators only. */
  SERVICE_FAULT: { app: true, mail: 'on' },
} as const satisfies Readonly<Record<string, DefaultDelivery>>;

export type NotificationKind = keyof typeof DEFAULT_DELIVERY;

export const NOTIFICATION_KINDS = Object.keys(DEFAULT_DELIVERY) as readonly NotificationKind[];

/** Whether recipients can turn mails of this kind off. Other letters than notifications have no settings. */
export function isOptionalMail(kind: string): boolean {
  const delivery = Object.entries(DEFAULT_DELIVERY).find(([name]) => name === kind)?.[1];
  return delivery !== undefined && delivery.mail !== 'always';
}

export const LINK_KINDS = ['SHARE', 'FOLDER_LINK'] as const;
export const SHARE_END_REASONS = ['USED_UP', 'EXPIRES_SOON'] as const;
export const SERVICE_FAULTS = ['DISK', 'JOB', 'DOCTOR', 'BACKUP'] as const;

/** The maximum number of senders that a notification names. */
export const MAX_NAMED_SENDERS = 5;

/**
 * What each kind of notification tells. Instants are milliseconds. Texts may be shortened. None of it is a
 * secret: no token, no code, no content of a file.
 */
export interface NotificationData {
  /** Someone made the recipient a member of a shared drive, or changed their role. */
  readonly DRIVE_MEMBER: {
    readonly driveId: number;
    readonly driveName: string;
    readonly role: DriveRole;
    /** Whether the recipient was not a member before. */
    readonly isNew: boolean;
    /** The display name of who did it; null for the service itself. */
    readonly byName: string | null;
  };
  /** Files arrived through a folder link of the recipient. */
  readonly LINK_FILES: {
    readonly linkId: number;
    readonly title: string;
    readonly driveId: number;
    /** Null for the personal drive. */
    readonly driveName: string | null;
    readonly directoryId: number;
    readonly files: number;
    readonly bytes: number;
    /** Those who gave a name, at most {@link MAX_NAMED_SENDERS}. */
    readonly senders: readonly string[];
  };
  /** A transfer of the recipient was fetched for the first time. */
  readonly TRANSFER_FETCHED: {
    readonly files: number;
    /** The name of the first file; empty if it is encrypted. */
    readonly fileName: string;
  };
  /** A share or a folder link of the recipient was used up, or expires within a day. */
  readonly SHARE_ENDED: {
    readonly of: (typeof LINK_KINDS)[number];
    readonly id: number;
    readonly name: string;
    readonly driveId: number;
    readonly reason: (typeof SHARE_END_REASONS)[number];
    readonly expiresAt: number | null;
  };
  /** A login from somewhere new, or a change of how people log in to the account. */
  readonly SECURITY: {
    readonly event: 'NEW_LOGIN' | SecurityAction;
    /** What the client calls itself; null if that is not known. */
    readonly program: string | null;
    readonly address: string | null;
  };
  readonly DRIVE_FULL: {
    readonly driveId: number;
    /** Null for the personal drive. */
    readonly driveName: string | null;
    readonly usedBytes: number;
    readonly quotaBytes: number;
  };
  /** A background task failed for good. */
  readonly TASK_FAILED: {
    readonly taskId: number;
    readonly type: string;
    readonly driveId: number;
    /** A sentence for people. */
    readonly error: string;
  };
  readonly SERVICE_FAULT: {
    readonly fault: (typeof SERVICE_FAULTS)[number];
    /** The name of the job, or a directory on the disk. */
    readonly name: string;
    readonly message: string;
  };
}

/** One of the notifications that the service sends. */
export type Notification = {
  readonly [K in NotificationKind]: { readonly kind: K; readonly data: NotificationData[K] };
}[NotificationKind];
