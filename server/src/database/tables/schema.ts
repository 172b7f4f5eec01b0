import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { ClientType, Role } from '../../base/domain/accounts.ts';
import type { BlobKind } from '../../base/domain/blobs.ts';
import type { CredentialMode, PolicyType } from '../../base/domain/policies.ts';
import type { ShareKind } from '../../base/domain/shares.ts';
import type { Flag } from '../flag.ts';
import type {
  ActiveDayTable,
  AuditTable,
  BlobTotalTable,
  LastActivityTable,
  RequestCountTable,
} from './administration.ts';
import type { BlobCopyTable, PolicyMigrationTable } from './policy-migrations.ts';
import type { MobileReleaseTable } from './releases.ts';
import type { TaskTable } from './tasks.ts';
import type { TransferFileTable, TransferSessionTable, TransferSignalTable } from './transfers.ts';
import type { UploadPartTable, UploadSessionTable, UploadTicketTable } from './uploads.ts';

/**
 * The tables as Kysely sees them; `migrations/` makes them. Instants are integer milliseconds, flags 0 or 1,
 * sizes bytes.
 */
export interface Schema {
  setting: SettingTable;
  lease: LeaseTable;
  credential_attempt: CredentialAttemptTable;
  account: AccountTable;
  session: LoginSessionTable;
  storage_policy: StoragePolicyTable;
  blob: BlobTable;
  blob_relocation: PolicyMigrationTable;
  blob_move: BlobCopyTable;
  upload_session: UploadSessionTable;
  upload_part: UploadPartTable;
  upload_ticket: UploadTicketTable;
  entry: EntryTable;
  entry_metadata: EntryMetadataTable;
  event: EventTable;
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
}

export interface SettingTable {
  name: string;
  value: string;
  updated_at: Instant;
}

/** Who may do a thing alone, and until when. */
export interface LeaseTable {
  name: string;
  holder: string;
  expires_at: Instant;
}

/** What the credentials limiter remembers of one address, account or share. */
export interface CredentialAttemptTable {
  key: string;
  failures: number;
  /** Attempts that have begun and not ended. */
  pending: number;
  /** When the failures are forgotten. */
  expires_at: Instant;
  /** Nothing is let in before. */
  blocked_until: Instant;
}

export interface AccountTable {
  id: Generated<number>;
  username: string;
  /** Username without regard to case: the one that is unique. */
  folded_username: string;
  display_name: string;
  email: string | null;
  folded_email: string | null;
  phone_number: string | null;
  /** argon2id in PHC form; null for accounts that only dev-login opens. */
  password_hash: string | null;
  role: Role;
  banned: Flag;
  bio: string | null;
  preferred_language: string | null;
  avatar_blob_id: number | null;
  storage_quota_bytes: number;
  /** Sum of the sizes of the owner's live files; changed by conditional updates only. */
  storage_used_bytes: number;
  max_upload_size_bytes: number;
  /** Live files of the owner's drive, directories not counted; changed together with the usage. */
  file_count: Generated<number>;
  created_at: Instant;
  updated_at: Instant;
}

/** One per account and client type: a new login of the type takes the place of the old one. */
export interface LoginSessionTable {
  id: string;
  account_id: number;
  client: ClientType;
  /** SHA-256 of the one refresh token that works now. */
  refresh_hash: string;
  refresh_expires_at: Instant;
  created_at: Instant;
}

/** Where new objects go and what may be done with them there. */
export interface StoragePolicyTable {
  id: Generated<number>;
  name: string;
  type: PolicyType;
  bucket_name: string | null;
  endpoint: string | null;
  region: string | null;
  /** Without `/` at either end; empty for none. */
  prefix: string;
  /** Credentials themselves are in the environment only. */
  credential_mode: CredentialMode;
  max_size_bytes: number;
  direct_upload: Flag;
  multipart_upload: Flag;
  signed_download_url: Flag;
  server_proxy_download: Flag;
  requires_cors: Flag;
  max_object_size: number;
  enabled: Flag;
  /** On one row. */
  is_default: Flag;
  created_at: Instant;
  updated_at: Instant;
}

/** A stored object and how many rows refer to it. */
export interface BlobTable {
  id: Generated<number>;
  object_key: string;
  policy_id: number;
  kind: BlobKind;
  size: number;
  sha256: string | null;
  crc32: number | null;
  content_type: string | null;
  reference_count: number;
  created_by: number;
  created_at: Instant;
  /** When the count came to 0. */
  unreferenced_at: Instant | null;
  /** Set for good before the bytes are removed; no reference is taken after. */
  removing_at: Instant | null;
}

/**
 * A file or directory. The tree is an adjacency list: paths are computed, so renaming or moving a directory of
 * any size writes its own row. A live entry's ancestors are all live.
 */
export interface EntryTable {
  id: Generated<number>;
  owner_id: number;
  /** Null for the root of a drive and for the root entry of something in the recycle bin. */
  parent_id: number | null;
  name: string;
  /** `foldName(name)`, for order and search. */
  folded_name: string;
  is_directory: Flag;
  blob_id: number | null;
  size: number;
  content_type: string | null;
  /** Direct children of a directory, so that a page knows its total without counting. */
  child_count: number;
  /** The source of a copied directory, inside the transaction that copies and nowhere else. */
  copied_from: number | null;
  created_at: Instant;
  updated_at: Instant;
  /** Both set on every entry of a tree in the recycle bin; the root entry names itself. */
  deleted_at: Instant | null;
  bin_root_id: number | null;
  /** On the root entry in the bin: the path of the directory that it lay in. */
  bin_parent_path: string | null;
}

export interface EntryMetadataTable {
  entry_id: number;
  name: string;
  value: string;
}

export interface EventTable {
  id: Generated<number>;
  owner_id: number;
  event_type: string;
  entry_id: number | null;
  from_path: string | null;
  to_path: string | null;
  client_id: string | null;
  /** A JSON object. */
  payload: string;
  created_at: Instant;
}

/** What its owner lets others see of an entry. It is dead while the entry lies in the recycle bin. */
export interface ShareTable {
  id: Generated<number>;
  kind: ShareKind;
  /** What the public knows it by. */
  token: string;
  owner_id: number;
  entry_id: number;
  share_name: string | null;
  /** argon2id in PHC form. */
  password_hash: string | null;
  expires_at: Instant | null;
  /** The budget of downloads and imports; null for none. */
  max_downloads: number | null;
  allow_import: Flag;
  allow_download: Flag;
  /** What of the budget is spent. */
  download_count: number;
  view_count: number;
  last_accessed_at: Instant | null;
  created_at: Instant;
}
