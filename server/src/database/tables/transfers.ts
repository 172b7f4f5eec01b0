import type { Instant } from '../../base/clock.ts';
import type { PeerRole, TransferMode, TransferStatus } from '../../base/domain/transfers.ts';
import type { Flag } from '../flag.ts';

/** Files on their way from one to another by a code; the row goes when the session ends. */
export interface TransferSessionTable {
  id: string;
  mode: TransferMode;
  status: TransferStatus;
  pickup_code: string;
  /** Whoever made it while logged in; never null for OFFLINE. */
  owner_id: number | null;
  /** SHA-256 of the peer tokens; the receiver has one from joining on. */
  sender_hash: string;
  receiver_hash: string | null;
  requires_token: Flag;
  /** What the files of an OFFLINE session take of the limit for all of them. */
  offline_bytes: number;
  /** Of the newest signal. */
  last_cursor: number;
  /** Signals that are kept. */
  signal_count: number;
  created_at: Instant;
  expires_at: Instant;
}

export interface TransferFileTable {
  id: string;
  session_id: string;
  position: number;
  name: string;
  relative_path: string | null;
  size: number;
  content_type: string | null;
  /** The bytes of an OFFLINE file, once they are there. */
  blob_id: number | null;
}

export interface TransferSignalTable {
  session_id: string;
  /** From 1, in the order of committing, without gaps. */
  cursor: number;
  sent_by: PeerRole;
  /** JSON: `{type, payload}`. */
  message: string;
  created_at: Instant;
}
