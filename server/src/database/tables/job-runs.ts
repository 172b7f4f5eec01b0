import type { Instant } from '../../base/clock.ts';

/** The last run of a recurring job. */
export interface JobRunTable {
  name: string;
  ended_at: Instant;
  duration_ms: number;
  /** The end of the last run that succeeded; null if none has. */
  succeeded_at: Instant | null;
  /** The runs that have failed so far. */
  failures: number;
  /** Why the last run failed; null if it succeeded. */
  error: string | null;
}
