import type { Instant } from '../../base/clock.ts';

/** The number of requests in one quarter of an hour. */
export interface RequestCountTable {
  /** The start of the quarter. */
  quarter: Instant;
  requests: number;
}

/** An account that was active on a day (`2026-11-21`, in the server's time zone). */
export interface ActiveDayTable {
  day: string;
  account_id: number;
}

export interface LastActivityTable {
  account_id: number;
  active_at: Instant;
}
