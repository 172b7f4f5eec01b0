import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { FolderLinkMode } from '../../base/domain/folder-links.ts';
import type { LinkEnding, ShareKind } from '../../base/domain/shares.ts';
import type { Flag } from '../flag.ts';

/** Gives others access to an entry. A share is unavailable while its entry is in the recycle bin. */
export interface ShareTable {
  id: Generated<number>;
  kind: ShareKind;
  /** Identifies the share in its public URL. */
  token: string;
  drive_id: number;
  entry_id: number;
  share_name: string | null;
  /** argon2id in PHC form. */
  password_hash: string | null;
  expires_at: Instant | null;
  /** The maximum number of downloads and imports together; null for no limit. */
  max_downloads: number | null;
  allow_import: Flag;
  allow_download: Flag;
  /** How many downloads and imports there were. */
  download_count: number;
  view_count: number;
  last_accessed_at: Instant | null;
  /** The account that created it, which may be gone. */
  creator_id: number | null;
  created_at: Instant;
  /**
   * How the link ends, if its creator knows: was told, or chose an expiry within a day. Null again after the
   * expiry or the limit has changed, or a download was refunded.
   */
  ending_noted: Generated<LinkEnding | null>;
  /** When its creator was last told that the link is used up; null if not since the limit was changed. */
  used_up_told_at: Generated<Instant | null>;
}

/**
 * Gives people without an account access to a directory. A link is unavailable while its directory is in the
 * recycle bin.
 */
export interface FolderLinkTable {
  id: Generated<number>;
  /** Identifies the link in its public URL. */
  token: string;
  drive_id: number;
  entry_id: number;
  mode: FolderLinkMode;
  title: string;
  note: string | null;
  /** argon2id in PHC form. */
  password_hash: string | null;
  expires_at: Instant | null;
  /** How many files and bytes may be uploaded; null for no limit. */
  max_files: number | null;
  max_bytes: number | null;
  /** How many files and bytes were uploaded, including those deleted since. */
  received_files: number;
  received_bytes: number;
  /** The account that created it, which may be gone. */
  creator_id: number | null;
  created_at: Instant;
  /**
   * How the link ends, if its creator knows: was told, or chose an expiry within a day. Null again after the
   * expiry or the limit has changed.
   */
  ending_noted: Generated<LinkEnding | null>;
  /** When its creator was last told that the link is used up; null if not since the limit was changed. */
  used_up_told_at: Generated<Instant | null>;
  /** When the creator was last told about received files; null if that has not happened. */
  notified_at: Generated<Instant | null>;
  /** When the creator must be told about the files below; null if there are none. */
  tell_at: Generated<Instant | null>;
  /** The received files about which the creator has not been told, and their bytes. */
  unnotified_files: Generated<number>;
  unnotified_bytes: Generated<number>;
  /** A JSON array: some of the names of those who sent these files. */
  unnotified_senders: Generated<string>;
}
