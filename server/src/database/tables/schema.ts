import type {
  AccountTable,
  AppPasswordTable,
  EndedSessionTable,
  LoginSessionTable,
} from './accounts/accounts.ts';
import type { IdentityTable } from './accounts/identities.ts';
import type { InviteTable } from './accounts/invites.ts';
import type { CredentialAttemptTable } from './accounts/limits.ts';
import type {
  PasskeyTable,
  RecoveryCodeTable,
  TotpTable,
  UsedLoginTicketTable,
} from './accounts/second-factors.ts';
import type { ActiveDayTable, LastActivityTable, RequestCountTable } from './activity.ts';
import type { AuditTable } from './audit.ts';
import type { BlobTable, BlobTotalTable, RemovedObjectTable } from './blobs/blobs.ts';
import type { StoragePolicyTable } from './blobs/policies.ts';
import type { BlobCopyTable, PolicyMigrationTable } from './blobs/policy-migrations.ts';
import type { DavLockTable, DavPropertyTable } from './drive/dav.ts';
import type { EntryMetadataTable, EntryTable, FileVersionTable } from './drive/drive.ts';
import type { ZipTicketTable } from './drive/zip-tickets.ts';
import type { EventTable } from './events.ts';
import type { JobRunTable } from './job-runs.ts';
import type { LeaseTable } from './leases.ts';
import type { MobileReleaseTable } from './releases.ts';
import type { SettingTable } from './settings.ts';
import type { FolderLinkTable, ShareTable } from './sharing/shares.ts';
import type { TransferFileTable, TransferSessionTable, TransferSignalTable } from './sharing/transfers.ts';
import type { TaskTable } from './tasks.ts';
import type { UploadReservationTable } from './uploads/reservations.ts';
import type { UploadPartTable, UploadSessionTable, UploadTicketTable } from './uploads/uploads.ts';

/**
 * The tables as Kysely sees them; `migrations/` creates them. Instants are integer milliseconds, flags 0 or
 * 1, sizes bytes. Backups contain the names of tables and columns, some of which differ from the words of the
 * code.
 */
export interface Schema {
  setting: SettingTable;
  lease: LeaseTable;
  job_run: JobRunTable;
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
  invite: InviteTable;
  storage_policy: StoragePolicyTable;
  blob: BlobTable;
  removed_object: RemovedObjectTable;
  blob_relocation: PolicyMigrationTable;
  blob_move: BlobCopyTable;
  upload_session: UploadSessionTable;
  upload_part: UploadPartTable;
  upload_ticket: UploadTicketTable;
  upload_reservation: UploadReservationTable;
  entry: EntryTable;
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
