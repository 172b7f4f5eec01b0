import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type {
  AccountTable,
  AccountTokenTable,
  AppPasswordTable,
  CredentialAttemptTable,
  EndedSessionTable,
  IdentityTable,
  InviteTable,
  LoginSessionTable,
  PasskeyTable,
  RecoveryCodeTable,
  TotpTable,
  UsedLoginTicketTable,
} from './accounts.ts';
import type {
  BlobCopyTable,
  BlobTable,
  BlobTextTable,
  BlobTotalTable,
  PolicyMigrationTable,
  RemovedObjectTable,
  StoragePolicyTable,
  TextQueueTable,
  TextScanTable,
} from './blobs.ts';
import type {
  DavLockTable,
  DavPropertyTable,
  DriveMemberTable,
  DriveTable,
  EntryMetadataTable,
  EntryTable,
  FileVersionTable,
  StarTable,
  TimelineExclusionTable,
  ZipTicketTable,
} from './drive.ts';
import type { MailCountTable, MailTable } from './mail.ts';
import type { KnownLoginTable, NotificationSettingTable, NotificationTable } from './notifications.ts';
import type { PushDeliveryTable, PushSubscriptionTable } from './push.ts';
import type { FolderLinkTable, ShareTable } from './shares.ts';
import type { TaskTable } from './tasks.ts';
import type { TransferFileTable, TransferSessionTable, TransferSignalTable } from './transfers.ts';
import type {
  UploadPartTable,
  UploadReservationTable,
  UploadSessionTable,
  UploadTicketTable,
} from './uploads.ts';

/**
 * The tables as Kysely sees them; `migrations/` creates them. Instants are integer milliseconds, flags 0 or
 * 1, sizes bytes. Backups contain the names of tables and columns. Some of these names differ from the words
 * in the code.
 */
export interface Schema {
  setting: SettingTable;
  lease: LeaseTable;
  job_run: JobRunTable;
  service_fault: ServiceFaultTable;
  credential_attempt: CredentialAttemptTable;
  account: AccountTable;
  session: LoginSessionTable;
  ended_session: EndedSessionTable;
  app_password: AppPasswordTable;
  totp: TotpTable;
  recovery_code: RecoveryCodeTable;
  passkey: PasskeyTable;
  identity: IdentityTable;
  used_login_ticket: UsedLoginTicketTable;
  account_token: AccountTokenTable;
  invite: InviteTable;
  mail: MailTable;
  mail_count: MailCountTable;
  notification: NotificationTable;
  notification_setting: NotificationSettingTable;
  known_login: KnownLoginTable;
  push_subscription: PushSubscriptionTable;
  push_delivery: PushDeliveryTable;
  storage_policy: StoragePolicyTable;
  blob: BlobTable;
  text_queue: TextQueueTable;
  blob_text: BlobTextTable;
  text_scan: TextScanTable;
  removed_object: RemovedObjectTable;
  blob_relocation: PolicyMigrationTable;
  blob_move: BlobCopyTable;
  upload_session: UploadSessionTable;
  upload_part: UploadPartTable;
  upload_ticket: UploadTicketTable;
  upload_reservation: UploadReservationTable;
  drive: DriveTable;
  drive_member: DriveMemberTable;
  entry: EntryTable;
  star: StarTable;
  timeline_exclusion: TimelineExclusionTable;
  entry_metadata: EntryMetadataTable;
  file_version: FileVersionTable;
  zip_ticket: ZipTicketTable;
  event: EventTable;
  folder_link: FolderLinkTable;
  share: ShareTable;
  transfer_session: TransferSessionTable;
  transfer_file: TransferFileTable;
  transfer_signal: TransferSignalTable;
  task: TaskTable;
  audit: AuditTable;
  request_count: RequestCountTable;
  active_day: ActiveDayTable;
  last_activity: LastActivityTable;
  blob_total: BlobTotalTable;
  mobile_release: MobileReleaseTable;
  dav_lock: DavLockTable;
  dav_property: DavPropertyTable;
}

/** The number of requests in one 15-minute bucket. */
interface RequestCountTable {
  /** The start of the bucket. */
  quarter: Instant;
  requests: number;
}

/** An account that was active on a day (`2026-11-21`, in the server's time zone). */
interface ActiveDayTable {
  day: string;
  account_id: number;
}

interface LastActivityTable {
  account_id: number;
  active_at: Instant;
}

/** A change to a drive, kept for a limited time. */
interface EventTable {
  id: Generated<number>;
  drive_id: number;
  event_type: string;
  entry_id: number | null;
  from_path: string | null;
  to_path: string | null;
  client_id: string | null;
  /** A JSON object. */
  payload: string;
  created_at: Instant;
  /** The account that made the change. Null for a visitor, for the system, and in a personal drive. */
  actor_id: Generated<number | null>;
  /**
   * The actor's name at that time; empty for a visitor who gave none. Null for the system, and in a personal
   * drive.
   */
  actor_name: Generated<string | null>;
  /** The only account that sees the event; null for everyone who may use the drive. */
  reader_id: Generated<number | null>;
}

/** The last run of a recurring job. */
interface JobRunTable {
  name: string;
  ended_at: Instant;
  duration_ms: number;
  /** When the last successful run ended; null if there was none. */
  succeeded_at: Instant | null;
  /** The number of failed runs. */
  failures: number;
  /** Why the last run failed; null if it succeeded. */
  error: string | null;
}

/** A fault of the service that lasts, or has ended recently. */
interface ServiceFaultTable {
  name: string;
  began_at: Instant;
  /** When administrators were last told. */
  notified_at: Instant;
  /** Null while the fault lasts. */
  ended_at: Instant | null;
}

/** Which instance has the exclusive right to do something, and until when. */
interface LeaseTable {
  name: string;
  holder: string;
  expires_at: Instant;
}

/** An app package for phones that is currently published. */
interface MobileReleaseTable {
  id: Generated<number>;
  /** The release with the highest code is the newest. */
  version_code: number;
  version_name: string;
  /** The name under which clients download it. */
  file_name: string;
  blob_id: number;
  released_at: Instant;
}

interface SettingTable {
  name: string;
  value: string;
  updated_at: Instant;
}

/** An audited action of an administrator. */
export interface AuditTable {
  id: Generated<number>;
  /** Null for the command line, and for an account that has been deleted since. */
  actor_id: number | null;
  /** The username at that time. */
  actor: string;
  folded_actor: string;
  action: string;
  target_type: string;
  target_id: string | null;
  target: string;
  summary: string;
  /** A JSON object. */
  details: string;
  created_at: Instant;
}
