// The types of requests and responses, under the names that clients use (`npm run client`). This file has no
// code that runs.
export type {
  AppPasswordBody,
  AppPasswordRecord,
  NewAppPassword,
} from '../accounts/app-passwords/contract.ts';
export type { LoginState, ProfileBody, RegisterBody, User } from '../accounts/contract.ts';
export type { FirstSteps } from '../accounts/first-steps/contract.ts';
export type {
  CreationOptions,
  NewCredential,
  PasskeyRecord,
  RequestOptions,
  UsedCredential,
} from '../accounts/passkeys/contract.ts';
export type { RecoveryCodes, TotpEnrolment } from '../accounts/second-factor/contract.ts';
export type { AccountSecurity, AuthMethods, SecurityChange } from '../accounts/security/contract.ts';
export type { LoginSessionRecord } from '../accounts/sessions/contract.ts';
export type { AdminFile, AdminFolderLink, AdminShare } from '../admin/files/contract.ts';
export type { AdminInvite, InviteBody } from '../admin/invites/contract.ts';
export type {
  AccountDefaultsRecord,
  AdminAudit,
  Filesystem,
  InviteCode,
  JobRunRecord,
  Maintenance,
  OfflineLimit,
  SettingsSnapshot,
  Summary,
} from '../admin/overview/contract.ts';
export type { AdminBlob, AdminPolicy, PolicyBody } from '../admin/storage/contract.ts';
export type { AdminTask, MigrationBody } from '../admin/tasks/contract.ts';
export type { AdminUser, NewAdminUser, NewUserBody, TemporaryPassword } from '../admin/users/contract.ts';
export type { AuditTargetType } from '../audit/contract.ts';
export type { SessionEnd } from '../base/domain/accounts.ts';
export type {
  BinRecord,
  EntryDetails,
  EntryRecord,
  RecentRecord,
  SignedUrl,
} from '../drive/contract.ts';
export type { FileVersion } from '../drive/versions/contract.ts';
export type { FileEventRecord } from '../events/contract.ts';
export type {
  ChangeBody as FolderLinkChange,
  CreateBody as FolderLinkBody,
  FolderLinkRecord,
  LinkedEntry,
  PublicFolderLink,
} from '../folder-links/contract.ts';
export type { UploadTarget } from '../http/fields.ts';
export type {
  ChangeBody as ChangeShareBody,
  CreateBody as CreateShareBody,
  OwnShareLink,
  PublicShareLink,
  ShareLink,
  ShareSummary,
} from '../shares/contract.ts';
export type { ArchiveContents, TaskRecord } from '../tasks/contract.ts';
export type {
  IceServers,
  OwnTransferRecord,
  TransferForPeer,
  TransferRecord,
} from '../transfer/contract.ts';
export type { DevicesMessage } from '../transfer/devices/contract.ts';
export type { SignalPage, SignalRecord } from '../transfer/signals/contract.ts';
export type { SessionRecord, SessionWithRuntime } from '../uploads/contract.ts';
