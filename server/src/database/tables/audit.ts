import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';

/** An audited action of an administrator. */
export interface AuditTable {
  id: Generated<number>;
  /** Null for the command line, and for an account that was deleted since. */
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
