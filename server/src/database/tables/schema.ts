import type { AccountTable, AppPasswordTable, LoginSessionTable } from './accounts.ts';
import type { ActiveDayTable, LastActivityTable, RequestCountTable } from './activity.ts';
import type { AuditTable } from './audit.ts';
import type { BlobTable, BlobTotalTable } from './blobs.ts';
import type { DavLockTable, DavPropertyTable } from './dav.ts';
import type { EntryMetadataTable, EntryTable, FileVersionTable } from './drive.ts';
import type { EventTable } from './events.ts';
import type { IdentityTable } from './identities.ts';
import type { InviteTable } from './invites.ts';
import type { LeaseTable } from './leases.ts';
import type { CredentialAttemptTable } from './limits.ts';
import type { StoragePolicyTable } from './policies.ts';
import type { BlobCopyTable, PolicyMigrationTable } from './policy-migrations.ts';
import type { MobileReleaseTable } from './releases.ts';
import type { PasskeyTable, RecoveryCodeTable, TotpTable, UsedLoginTicketTable } from './second-factors.ts';
import type { SettingTable } from './settings.ts';
import type { FolderLinkTable, ShareTable } from './shares.ts';
import type { TaskTable } from './tasks.ts';
import type { TransferFileTable, TransferSessionTable, TransferSignalTable } from './transfers.ts';
import type { UploadReservationTable } from './upload-reservations.ts';
import type { UploadPartTable, UploadSessionTable, UploadTicketTable } from './uploads.ts';
import type { ZipTicketTable } from './zip-tickets.ts';

/**
 * The tables as Kysely sees them; `migrations/` creates them. Instants are integer milliseconds, flags 0 or
 * 1, sizes bytes. Some SQL names are older than the words the code uses: a released migration is never
 * edited, and backups contain the names.
 */
export interface Schema {
  setting: SettingTable;
  lease: LeaseTable;
  credential_attempt: CredentialAttemptTable;
  account: AccountTable;
  session: LoginSessionTable;
  app_password: AppPasswordTable;
  totp: TotpTable;
  recovery_code: RecoveryCodeTable;
  passkey: PasskeyTable;
  identity: IdentityTable;
  used_login_ticket: UsedLoginTicketTable;
  invite: InviteTable;
  storage_policy: StoragePolicyTable;
  blob: BlobTable;
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
