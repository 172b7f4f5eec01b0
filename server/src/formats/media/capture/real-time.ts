/** The largest offset of a time zone that exists. */
export const MAX_ZONE_HOURS = 14;

/** Cameras whose clock was not set write zeros, blanks or the year of their epoch. */
const FIRST_YEAR = 1_826;

/**
 * Gives a time such as `2026-07-06T07:04:03` back, if it exists.
 * @returns undefined for one that does not, or that only a clock shows that was not set
 */
export function toRealTime(time: string): string | undefined {
  const instant = Date.parse(`${time}Z`);
  // `Date.parse` takes a date that does not exist (30 February) for a later one.
  const isReal = !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(time);
  return isReal && Number(time.slice(0, 4)) >= FIRST_YEAR ? time : undefined;
}
