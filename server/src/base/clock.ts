/** Milliseconds since 1970-01-01T00:00Z: how instants are kept in memory and in the database. */
export type Instant = number;

/** Where the time comes from. Tests hand in one whose hands they move. */
export interface Clock {
  now(): Instant;
}

export const systemClock: Clock = { now: () => Date.now() };

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** ISO-8601 in UTC with milliseconds and `Z`, as every timestamp is sent (contract, section 1). */
export function toTimestamp(instant: Instant): string {
  return new Date(instant).toISOString();
}
