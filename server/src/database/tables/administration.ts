import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';

/** What somebody did as an admin. */
export interface AuditTable {
  id: Generated<number>;
  /** Null for the command line. */
  actor_id: number | null;
  /** The username at that time. */
  actor: string;
  folded_actor: string;
  action: string;
  target_type: string;
  target_id: string | null;
  target: string;
  summary: string;
  /** A JSON object. */
  details: string;
  created_at: Instant;
}

/** How many requests came in a quarter of an hour, by its beginning. */
export interface RequestCountTable {
  quarter: Instant;
  requests: number;
}

/** Who was active on a day (`2026-11-21`, in the server's time zone). */
export interface ActiveDayTable {
  day: string;
  account_id: number;
}

export interface LastActivityTable {
  account_id: number;
  active_at: Instant;
}

/** One row: how many objects, and bytes, the blobs have whose id is `through_id` at most. */
export interface BlobTotalTable {
  through_id: number;
  objects: number;
  bytes: number;
}
