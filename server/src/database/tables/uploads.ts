import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { UploadConflictRule, UploadKind, UploadMode, UploadStatus } from '../../base/domain/uploads.ts';

/** An announced profile picture: the key that `initiate` returned and `complete` has not used yet. */
export interface UploadTicketTable {
  object_key: string;
  account_id: number;
  max_bytes: number;
  content_type: string | null;
  /**
   * The key of the stored bytes; each upload writes its own object. Like the following columns, null until
   * the bytes are stored.
   */
  stored_key: string | null;
  /** The storage policy of the stored bytes. */
  stored_policy_id: Generated<number>;
  size: number | null;
  sha256: string | null;
  crc32: number | null;
  created_at: Instant;
  expires_at: Instant;
}

/** A file that is being uploaded, into a drive or for an OFFLINE transfer. */
export interface UploadSessionTable {
  id: string;
  drive_id: number;
  /** Who uploads; null for a visitor of a folder link. */
  account_id: number | null;
  kind: UploadKind;
  mode: UploadMode;
  status: UploadStatus;
  policy_id: number;
  object_key: string;
  /** The id of the multipart upload or resumable write in the store, if there is one. */
  upload_id: string | null;
  /** Null for legacy uploads, like `filename`: those name the target when they are completed. */
  directory_path: string | null;
  filename: string | null;
  content_type: string;
  size: number;
  chunk_size: number;
  chunk_count: number;
  /** How many bytes of a resumable write are durable. This and the next two columns are its resume point. */
  received_bytes: number;
  received_parts: number;
  tail_key: string | null;
  /** The progress of the running request that sends content. */
  sent_bytes: number;
  /** The key of the complete bytes; null until they are stored. After that no more bytes are accepted. */
  stored_key: string | null;
  /** A legacy upload may have fewer bytes than announced. */
  stored_size: number | null;
  sha256: string | null;
  crc32: number | null;
  /** The number of requests that began to send bytes through the server. */
  attempts: number;
  /**
   * The request that is sending bytes through the server, and when it counts as dead unless it renews this
   * time.
   */
  writer: string | null;
  writer_until: Instant;
  /** The request that waits to take over from `writer`. */
  next_writer: string | null;
  /** `Upload-Metadata` of the tus protocol, as the client sent it. */
  client_metadata: string | null;
  /** When the file was last modified on the client; null if the client did not say. */
  modified_at: Generated<Instant | null>;
  /**
   * The folder link whose visitor uploads, and the name that the visitor gave. Without a link, it is the
   * owner's upload. The link may have been deleted.
   */
  folder_link_id: Generated<number | null>;
  sender: Generated<string | null>;
  /** The address of that visitor, as limits count it (`addressKeyOf`), until the session ends. */
  visitor_address: Generated<string | null>;
  /** What happens if the name of the file is taken. */
  on_conflict: Generated<UploadConflictRule>;
  /**
   * The OFFLINE transfer, and the file in it, whose bytes these are. They do not go into the drive. Both may
   * have been deleted.
   */
  transfer_id: Generated<string | null>;
  transfer_file_id: Generated<string | null>;
  /**
   * When a visitor's or transfer's session ends at the latest: progress extends `expires_at`, but not beyond
   * this.
   */
  ends_at: Generated<Instant | null>;
  /** The file that the upload created. */
  entry_id: number | null;
  created_at: Instant;
  updated_at: Instant;
  expires_at: Instant;
}

/** A part that the client has sent directly to the store. */
export interface UploadPartTable {
  session_id: string;
  /** From 0. */
  part_index: number;
  etag: string;
  size: number;
}

/**
 * Bytes that a running request has announced or is storing for an account, and that no quota is charged for
 * yet.
 */
export interface UploadReservationTable {
  id: string;
  drive_id: number;
  /** The OFFLINE transfer that the bytes are for; null for a file of the drive. */
  transfer_id: string | null;
  bytes: number;
  /** The folder link whose visitor uploads; null for the owner. The link may have been deleted. */
  folder_link_id: Generated<number | null>;
  /** The address of that visitor, as limits count it (`addressKeyOf`). */
  visitor_address: Generated<string | null>;
  /** The running request extends this. After a crash, no one does, and the reservation ends. */
  expires_at: Instant;
}
