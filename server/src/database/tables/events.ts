import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';

/** A change of a drive, kept for a limited time. */
export interface EventTable {
  id: Generated<number>;
  owner_id: number;
  event_type: string;
  entry_id: number | null;
  from_path: string | null;
  to_path: string | null;
  client_id: string | null;
  /** A JSON object. */
  payload: string;
  created_at: Instant;
}
