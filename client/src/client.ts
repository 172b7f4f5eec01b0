// The entry point of `@holdall/client`: everything that a program may import.
export type { Download, DownloadOptions, DownloadProgress } from './downloads/download.ts';
export { Downloads, type DriveDownloadOptions } from './downloads/downloads.ts';
export { type Hasher, Sha256 } from './downloads/sha256.ts';
export * from './errors/errors.ts';
export { kindOf } from './errors/read-error.ts';
export type { DriveEvent } from './events/event-stream.ts';
export { Events, type WatchOptions } from './events/events.ts';
export { ERROR_KINDS } from './generated/error-kinds.ts';
export { OPERATIONS } from './generated/operation-list.ts';
export type { Operations } from './generated/operations.ts';
export type * from './generated/records.ts';
export { Holdall, type HoldallOptions } from './holdall.ts';
export { MemoryTokenStore, type TokenStore, type Tokens } from './login/token-store.ts';
export { type ListOptions, PageList } from './pages/page-list.ts';
export { Account } from './parts/account.ts';
export { Admin } from './parts/admin.ts';
export { AdminContent } from './parts/admin-content.ts';
export { AdminDrives } from './parts/admin-drives.ts';
export { AdminUsers } from './parts/admin-users.ts';
export { AppPasswords } from './parts/app-passwords.ts';
export { Auth, type LoggedIn, type LogInOptions } from './parts/auth.ts';
export { Bin } from './parts/bin.ts';
export {
  type ConflictRule,
  Drive,
  type DriveDirectory,
  type SearchConditions,
  type SortOptions,
  type TimelineRecord,
} from './parts/drive.ts';
export {
  type DriveMember,
  DriveMembers,
  type DriveRole,
  type NewDriveMember,
} from './parts/drive-members.ts';
export { Drives, type FoundPerson, type NewDrive } from './parts/drives.ts';
export { FolderLinks } from './parts/folder-links.ts';
export {
  type ListNotificationsOptions,
  type Notification,
  type NotificationKind,
  Notifications,
} from './parts/notifications.ts';
export { Passkeys } from './parts/passkeys.ts';
export { Releases } from './parts/releases.ts';
export { SecondFactor } from './parts/second-factor.ts';
export { ShareLinks } from './parts/share-links.ts';
export { Shares, VisitedShare } from './parts/shares.ts';
export { Site } from './parts/site.ts';
export { Tasks } from './parts/tasks.ts';
export { Transfers } from './parts/transfers.ts';
export { type ReplaceOptions, Versions } from './parts/versions.ts';
export { VisitedFolderLink, type VisitorUploadTarget } from './parts/visited-folder-link.ts';
export type { CallOptions } from './requests/call-options.ts';
export { appPassword, type Credentials, nobody } from './requests/credentials.ts';
export type {
  Arguments,
  DataOf,
  DataOperation,
  InputOf,
  OperationName,
  RequestOptions,
} from './requests/operation-types.ts';
export type { Page } from './shapes/page.ts';
export type { RawBody } from './shapes/raw-body.ts';
export type { FileSink, FileSinks } from './transfer/blocks/file-sink.ts';
export { type Fault, TransferFault } from './transfer/connection/line.ts';
export type {
  Connect,
  DataChannel,
  IceCandidate,
  IceServer,
  PeerConnection,
  SessionDescription,
} from './transfer/connection/peer-connection.ts';
export { CannotOpen } from './transfer/encryption/records.ts';
export { findSecret, groupSecret } from './transfer/encryption/secret.ts';
export type { DirectOptions } from './transfer/flow/direct-options.ts';
export type { SendDirectOptions, SentBy } from './transfer/flow/direct-sender.ts';
export type { OutgoingFile } from './transfer/flow/outgoing-file.ts';
export type { StoreOptions } from './transfer/flow/store-transfer.ts';
export type { Peer } from './transfer/flow/transfer-calls.ts';
export {
  type EndReason,
  type TransferCode,
  TransferEnded,
  type TransferEvent,
} from './transfer/flow/transfer-event.ts';
export { type Encryption, lacksEncryption, type OpenedTransfer } from './transfer/session/opened-transfer.ts';
export { isWholeCode, readTypedCode, type TypedCode } from './transfer/session/pickup-code.ts';
export { toSafePaths } from './transfer/session/safe-paths.ts';
export type { SendOptions, UploadProgress } from './uploads/tus-upload.ts';
export type { PieceSource, UploadSource } from './uploads/upload-source.ts';
export { SMALL_UPLOAD_BYTES, type UploadOptions, Uploads, type UploadTarget } from './uploads/uploads.ts';
