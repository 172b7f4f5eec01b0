import type { Instant } from '../../base/clock.ts';
import type { Flag } from '../flag.ts';

/** Permission to download several entries of a drive as one ZIP archive, without a login. */
export interface ZipTicketTable {
  /** SHA-256 of the token in the URL, in hex. */
  token_hash: string;
  owner_id: number;
  /** The name of the archive, without its extension. */
  name: string;
  /** The ids of the entries, as a JSON array. */
  entry_ids: string;
  /** Whether the download has begun. Then `expires_at` is when it can be resumed for the last time. */
  is_started: Flag;
  expires_at: Instant;
}
