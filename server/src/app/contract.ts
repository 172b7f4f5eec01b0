// The types of requests and responses, under the names by which clients know them (`npm run client`); nothing
// that runs.
export type {
  AppPasswordBody,
  AppPasswordRecord,
  LoginSessionRecord,
  LoginState,
  NewAppPassword,
  ProfileBody,
  RegisterBody,
  User,
} from '../accounts/contract.ts';
export type {
  CreationOptions,
  NewCredential,
  PasskeyRecord,
  RequestOptions,
  UsedCredential,
} from '../accounts/passkeys/contract.ts';
export type { RecoveryCodes, TotpEnrolment } from '../accounts/second-factor/contract.ts';
export type { AccountSecurity, AuthMethods, SecurityChange } from '../accounts/security/contract.ts';
export type {
  AdminAudit,
  AdminBlob,
  AdminFile,
  AdminFolderLink,
  AdminInvite,
  AdminPolicy,
  AdminShare,
  AdminTask,
  AdminUser,
  InviteBody,
  MigrationBody,
  NewAdminUser,
  NewUserBody,
  PolicyBody,
  TemporaryPassword,
} from '../admin/contract.ts';
export type {
  AccountDefaultsRecord,
  Filesystem,
  InviteCode,
  JobRunRecord,
  Maintenance,
  OfflineLimit,
  SettingsSnapshot,
  Summary,
} from '../admin/overview/contract.ts';
export type { AuditTargetType } from '../audit/contract.ts';
export type { SessionEnd } from '../base/domain/accounts.ts';
export type {
  BinRecord,
  EntryDetails,
  EntryRecord,
  FileVersion,
  RecentRecord,
  SignedUrl,
} from '../drive/contract.ts';
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
  DevicesMessage,
  IceServers,
  OwnTransferRecord,
  SignalPage,
  SignalRecord,
  TransferForPeer,
  TransferRecord,
} from '../transfer/contract.ts';
export type { SessionRecord, SessionWithRuntime } from '../uploads/contract.ts';
