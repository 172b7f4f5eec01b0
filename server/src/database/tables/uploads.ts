import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { TicketPurpose, UploadKind, UploadMode, UploadStatus } from '../../base/domain/uploads.ts';

/** An object key given out by `initiate` and not yet taken by `complete`. */
export interface UploadTicketTable {
  object_key: string;
  owner_id: number;
  purpose: TicketPurpose;
  max_bytes: number;
  content_type: string | null;
  /** Where the bytes lie; each upload writes an object of its own. Null until they do, as the three below. */
  stored_key: string | null;
  /** Of the bytes, once they lie there. */
  stored_policy_id: Generated<number>;
  size: number | null;
  sha256: string | null;
  crc32: number | null;
  created_at: Instant;
  expires_at: Instant;
}

/** A file on its way into a drive. */
export interface UploadSessionTable {
  id: string;
  owner_id: number;
  kind: UploadKind;
  mode: UploadMode;
  status: UploadStatus;
  policy_id: number;
  object_key: string;
  /** Of the multipart upload or resumable write at the store, where there is one. */
  upload_id: string | null;
  /** Null for legacy uploads, as the name: those are told where the file goes when they are completed. */
  directory_path: string | null;
  filename: string | null;
  content_type: string;
  size: number;
  chunk_size: number;
  chunk_count: number;
  /** How far a resumable write is durable, as the two below. */
  received_bytes: number;
  received_parts: number;
  tail_key: string | null;
  /** How far a content upload has got that is under way. */
  sent_bytes: number;
  /** Where the whole bytes lie; null until they do, and then nothing more is taken for them. */
  stored_key: string | null;
  /** A legacy upload may have fewer bytes than announced. */
  stored_size: number | null;
  sha256: string | null;
  crc32: number | null;
  /** How often bytes were begun to be sent through us. */
  attempts: number;
  /** Who sends bytes through us now, and until when that is believed without hearing more. */
  writer: string | null;
  writer_until: Instant;
  /** Who wants to send instead, and waits for that one to stop. */
  next_writer: string | null;
  /** `Upload-Metadata` of the tus protocol, as it was sent. */
  client_metadata: string | null;
  /** The file that came of it. */
  entry_id: number | null;
  created_at: Instant;
  updated_at: Instant;
  expires_at: Instant;
}

/** A part that its client has put into the store. */
export interface UploadPartTable {
  session_id: string;
  /** From 0. */
  part_index: number;
  etag: string;
  size: number;
}
