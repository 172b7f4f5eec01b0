import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type {
  BlobKind,
  CredentialMode,
  PolicyMigrationStatus,
  PolicyType,
} from '../../base/domain/storage.ts';
import type { Flag } from '../flag.ts';

/** A stored object and the number of rows that refer to it. */
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
  /** When `reference_count` became 0. */
  unreferenced_at: Instant | null;
  /** Set before the bytes are removed, and never reset. From then on, nothing new may refer to the blob. */
  removing_at: Instant | null;
}

/** An orphaned object that a sweep has removed. No blob may refer to it. */
export interface RemovedObjectTable {
  object_key: string;
  /** By this time, no upload that stored the object can still be running. */
  expires_at: Instant;
}

/** A single row: the number of objects and bytes of all blobs with an id up to `through_id`. */
export interface BlobTotalTable {
  through_id: number;
  objects: number;
  bytes: number;
}

/** Where objects are stored, and what clients may do directly at that store. */
export interface StoragePolicyTable {
  id: Generated<number>;
  name: string;
  type: PolicyType;
  bucket_name: string | null;
  endpoint: string | null;
  region: string | null;
  /** Without `/` at either end; empty for none. */
  prefix: string;
  /** The credentials themselves are only in environment variables. */
  credential_mode: CredentialMode;
  max_size_bytes: number;
  direct_upload: Flag;
  multipart_upload: Flag;
  signed_download_url: Flag;
  server_proxy_download: Flag;
  requires_cors: Flag;
  max_object_size: number;
  enabled: Flag;
  /** 1 on exactly one row: new objects go there. */
  is_default: Flag;
  created_at: Instant;
  updated_at: Instant;
}

/*
 * A policy migration copies all blobs of one storage policy to another. The SQL tables keep their original
 * names: `blob_relocation` is the migration, `blob_move` is the copy of one blob.
 *
 * COPYING: objects are copied, and no blob has changed yet.
 * SWITCHED: the blobs refer to the target; the objects at the source still have to be removed.
 * ABANDONED: the migration failed or was cancelled; the copies still have to be removed.
 */

/** One policy migration (`blob_relocation`). At most one is COPYING. */
export interface PolicyMigrationTable {
  id: Generated<number>;
  task_id: number;
  source_policy_id: number;
  target_policy_id: number;
  /** The newest blob when the migration began. Later blobs are not migrated. */
  last_blob_id: number;
  status: PolicyMigrationStatus;
  /** The remaining objects are not removed before this time. */
  clean_after: Instant;
  created_at: Instant;
}

/**
 * The copy of one blob (`blob_move`). The row is created before the first byte of the copy is written. It is
 * deleted once the object that is no longer needed has been removed.
 */
export interface BlobCopyTable {
  relocation_id: number;
  blob_id: number;
  source_key: string;
  target_key: string;
  size: number;
  /** The checksum of the copy, computed by reading it back; null until then. */
  sha256: string | null;
  crc32: number | null;
  copied: Flag;
  /** 1 if the blob no longer existed when the migration switched, so that nothing refers to the copy. */
  unused: Flag;
}

/**
 * WAITING: the text will be extracted.
 * CLAIMED: an instance extracts the text, until `due_at`.
 * INDEXED: the text was taken, and is in `blob_text`.
 * WITHOUT_TEXT: there is no text in the file.
 * GIVEN_UP: every attempt failed, for reasons other than the file.
 */
export type TextState = 'WAITING' | 'CLAIMED' | 'INDEXED' | 'WITHOUT_TEXT' | 'GIVEN_UP';

/** How far the text of a blob has been taken. */
export interface TextQueueTable {
  blob_id: number;
  /** A drive that has the file, so drives can take turns. */
  drive_id: number;
  state: TextState;
  /** 1 for an older file, which comes after new ones. */
  is_backlog: Flag;
  attempts: Generated<number>;
  /** WAITING: when the next attempt may begin. CLAIMED: when the attempt counts as lost. */
  due_at: Instant | null;
  /** Why no text was taken. */
  reason: string | null;
}

/**
 * A text that can be found. It stays while the text is taken again. On PostgreSQL, the table also has the
 * terms of the text. `TextIndex` writes the rows.
 */
export interface BlobTextTable {
  blob_id: number;
  /** The length of the text in UTF-8. */
  text_bytes: number;
  /** How relevant the text is to a word that it has a few times, or often. */
  once_score: number;
  often_score: number;
  /** The text, compressed. */
  text: Uint8Array;
}

/** A single row: all blobs with an id up to `through_id` are in `text_queue`, if they can have a text. */
export interface TextScanTable {
  through_id: number;
  /** Why an attempt failed last, and when. Null again when nothing waits. */
  last_error: string | null;
  last_error_at: Instant | null;
}
