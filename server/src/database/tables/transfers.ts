import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { PeerRole, TransferMode, TransferStatus } from '../../base/domain/transfers.ts';
import type { Flag } from '../flag.ts';

/** A quick transfer of files to another person by a pickup code. The row is deleted when the session ends. */
export interface TransferSessionTable {
  id: string;
  mode: TransferMode;
  status: TransferStatus;
  pickup_code: string;
  /** The account that created the session, if it was logged in; never null for OFFLINE. */
  account_id: number | null;
  /** SHA-256 of the peer tokens. The receiver gets its token on joining. */
  sender_hash: string;
  receiver_hash: string | null;
  requires_token: Flag;
  /** The sender's salt, in base64url, if the sender's page encrypts; null otherwise. */
  salt: string | null;
  /** How many bytes an OFFLINE session takes from the storage limit that all such sessions share. */
  offline_bytes: number;
  file_count: number;
  /** The size of its files' names and other texts, as JSON. */
  text_bytes: number;
  /** The cursor of the newest signal. */
  last_cursor: number;
  /** The number of stored signals. */
  signal_count: number;
  /** The login session of the sender's account to which it is offered; null if it is not offered. */
  offered_to: string | null;
  /** The login session from which it was offered. */
  offered_by: string | null;
  created_at: Instant;
  expires_at: Instant;
  /** When an OFFLINE session was completely fetched for the first time. */
  fetched_at: Generated<Instant | null>;
}

export interface TransferFileTable {
  id: string;
  session_id: string;
  position: number;
  name: string;
  relative_path: string | null;
  size: number;
  content_type: string | null;
  /** The encrypted name, in base64url; only in encrypted sessions, where `name` is a placeholder. */
  encrypted_name: string | null;
  /** The bytes of an OFFLINE file; null until they are uploaded. */
  blob_id: number | null;
  /** Whether an OFFLINE file was completely sent to a receiver at least once. */
  is_fetched: Generated<Flag>;
}

export interface TransferSignalTable {
  session_id: string;
  /** From 1, in commit order, without gaps. */
  cursor: number;
  sent_by: PeerRole;
  /** JSON: `{type, payload}`. */
  message: string;
  created_at: Instant;
}
