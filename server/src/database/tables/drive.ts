import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { DriveKind, DriveRole } from '../../base/domain/drives.ts';
import type { Flag } from '../flag.ts';

/** A tree of files and directories, with its recycle bin, its limits and their usage. */
export interface DriveTable {
  id: Generated<number>;
  kind: DriveKind;
  /** The account of a personal drive; null for a shared drive. */
  account_id: number | null;
  /** Null for a personal drive. */
  name: string | null;
  /** `foldName(name)`, for the filters of administrators. Null for a personal drive. */
  folded_name: Generated<string | null>;
  quota_bytes: number;
  /** Sum of the sizes of live files. Only conditional updates change it. */
  used_bytes: Generated<number>;
  max_upload_bytes: number;
  /** Live files, without directories. Changes together with `used_bytes`. */
  file_count: Generated<number>;
  /**
   * Files and directories, including the recycle bin, without the root. Changes together with `used_bytes`.
   */
  entry_count: Generated<number>;
  max_entries: number;
  /** Bytes of the recycle bin and of former versions. Changes together with `used_bytes`. */
  kept_bytes: Generated<number>;
  /** Whether the drive was 90 % full, and not below 80 % since. Changes together with `used_bytes`. */
  is_nearly_full: Generated<Flag>;
  /** The members of a shared drive; 0 for a personal drive. Changes together with `drive_member`. */
  member_count: Generated<number>;
  /** Who created a shared drive. The account may be gone. Null for a personal drive. */
  creator_id: Generated<number | null>;
  created_at: Instant;
  /** When the shared drive was last renamed or restored; null if that never happened. */
  named_at: Generated<Instant | null>;
  /** When the shared drive was deleted; 0 once its purge has begun. Until then, it can be restored. */
  deleted_at: Generated<Instant | null>;
}

/** A member of a shared drive. */
export interface DriveMemberTable {
  drive_id: number;
  account_id: number;
  role: DriveRole;
  /** The account that added the member. It may be gone. Null for the creator of the drive. */
  added_by: number | null;
  since: Instant;
}

/**
 * A file or directory. The tree is an adjacency list: paths are computed, so renaming or moving a directory
 * of any size writes only its own row. All ancestors of a live entry are live.
 */
export interface EntryTable {
  id: Generated<number>;
  drive_id: number;
  /** Null for the root of a drive and for the root entry of a tree in the recycle bin. */
  parent_id: number | null;
  name: string;
  /** `foldName(name)`, for search. */
  folded_name: string;
  /** The name without case and accents, for search by words; null if it equals the folded name. */
  plain_name: string | null;
  /** `toSortName(name)`, by which lists by name are sorted. */
  sort_name: Generated<string>;
  is_directory: Flag;
  blob_id: number | null;
  size: number;
  content_type: string | null;
  /** The position of the file's kind in `FILE_KINDS`; null for a directory. */
  kind: number | null;
  /** Number of direct children of a directory, so that a page can state the total without counting. */
  child_count: number;
  /** The source of a copied directory. Set only inside the transaction that copies. */
  copied_from: number | null;
  created_at: Instant;
  updated_at: Instant;
  /** When the content was last modified on the client. For a directory, when it was created. */
  modified_at: Generated<Instant>;
  /**
   * The account that last changed the content, the name or the place. It may be gone. Null for the system and
   * for visitors of a shared drive.
   */
  changed_by: Generated<number | null>;
  /** When the picture or video was taken, as its metadata says; null if that is unknown. */
  taken_at: Generated<Instant | null>;
  /** The local time where it was taken, stored as if it were UTC; null if it equals `taken_at`. */
  taken_local: Generated<Instant | null>;
  /**
   * In a personal drive, whether its owner has marked the entry with a star. In a shared drive, whether anyone
   * may have: `star` says who. Copies have no star.
   */
  is_starred: Generated<Flag>;
  /**
   * Both are set on every entry of a tree in the recycle bin; the `bin_root_id` of the root entry is its own
   * id, or its negated id while the tree is purged in several transactions.
   */
  deleted_at: Instant | null;
  bin_root_id: number | null;
  /** On the root entry in the bin: the path of the directory that contained it. */
  bin_parent_path: string | null;
}

/** The star with which an account has marked an entry. */
export interface StarTable {
  entry_id: number;
  account_id: number;
  /** The drive of the entry. */
  drive_id: number;
  starred_at: Instant;
}

/** A directory that an account leaves out of its timeline. */
export interface TimelineExclusionTable {
  entry_id: number;
  account_id: number;
  /** The drive of the directory. */
  drive_id: number;
}

export interface EntryMetadataTable {
  entry_id: number;
  name: string;
  value: string;
}

/** A former content of a file. */
export interface FileVersionTable {
  id: Generated<number>;
  entry_id: number;
  /** The drive of the entry. */
  drive_id: number;
  blob_id: number;
  size: number;
  /** When the content was last modified on the client. */
  modified_at: Instant;
  replaced_at: Instant;
}

/** A write lock of a WebDAV client. */
export interface DavLockTable {
  id: Generated<number>;
  /** A URI that no one can guess. */
  token: string;
  drive_id: number;
  /** The root of the lock. */
  entry_id: number;
  /** The account that created the lock, and that alone can use it. It may be gone. */
  account_id: number;
  is_exclusive: Flag;
  /** Whether it also covers everything below the entry. */
  is_deep: Flag;
  /** What the client wrote about the owner of the lock, as XML. */
  owner_xml: string;
  expires_at: Instant;
  created_at: Instant;
}

/** The properties that WebDAV clients have stored with an entry. */
export interface DavPropertyTable {
  entry_id: number;
  drive_id: number;
  /** Their size in bytes, as it counts against limits. */
  bytes: number;
  /** JSON: a list of `[namespace, name, value]`. The value is the whole element, as XML. */
  properties: string;
}

/** Permission to download several entries of a drive as one ZIP archive, by a short URL. */
export interface ZipTicketTable {
  /** SHA-256 of the token in the URL, in hex. */
  token_hash: string;
  drive_id: number;
  /** The name of the archive, without its extension. */
  name: string;
  /** The ids of the entries, as a JSON array. */
  entry_ids: string;
  /**
   * The folder link whose visitor downloads, and the paths below it, as a JSON array. Both are null for an
   * account.
   */
  folder_link_id: Generated<number | null>;
  paths: Generated<string | null>;
  /** The account that downloads; null for a visitor. */
  account_id: Generated<number | null>;
  /** The login session of the account, or the name of its app password; null for a visitor. */
  session_id: Generated<string | null>;
  /** Whether the download has begun. Then it can be resumed until `expires_at`. */
  is_started: Flag;
  expires_at: Instant;
}
