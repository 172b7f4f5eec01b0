import type { Generated } from 'kysely';
import type { Instant } from '../../../base/clock.ts';
import type { Flag } from '../../flag.ts';

/** Permission to download several entries of a drive as one ZIP archive by an address that is short. */
export interface ZipTicketTable {
  /** SHA-256 of the token in the URL, in hex. */
  token_hash: string;
  owner_id: number;
  /** The name of the archive, without its extension. */
  name: string;
  /** The ids of the entries, as a JSON array. */
  entry_ids: string;
  /** The folder link whose visitor downloads, and the paths below it, as a JSON array. Null for an owner. */
  folder_link_id: Generated<number | null>;
  paths: Generated<string | null>;
  /** The login session, or the name of the app password, of the owner; null for a visitor. */
  session_id: Generated<string | null>;
  /** Whether the download has begun. Then `expires_at` is when it can be resumed for the last time. */
  is_started: Flag;
  expires_at: Instant;
}
