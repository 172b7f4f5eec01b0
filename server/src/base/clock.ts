/** Milliseconds since 1970-01-01T00:00Z. Instants have this form in memory and in the database. */
export type Instant = number;

/** The source of the current time. Tests replace it with a clock that they set themselves. */
export interface Clock {
  now(): Instant;
}

export const systemClock: Clock = { now: () => Date.now() };

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const TIMESTAMP =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Reads an ISO-8601 date with optional time and zone; without a zone it is UTC. Undefined for anything else.
 */
export function parseTimestamp(text: string): Instant | undefined {
  const found = TIMESTAMP.exec(text.trim());
  if (found === null) return undefined;
  const [, date = '', time = '00:00', fraction = '0', zone = 'Z'] = found;
  // `Date.parse` turns a date that does not exist (30 February) into a later one.
  const day = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== date) return undefined;
  const seconds = time.length === 5 ? `${time}:00` : time;
  const instant = Date.parse(`${date}T${seconds}.${fraction.slice(0, 3)}${toOffset(zone)}`);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Reads the date and the time on the clock of a timestamp as if they were in UTC. Its zone is ignored. */
export function parseLocalTime(text: string): Instant | undefined {
  const timestamp = text.trim();
  const zone = TIMESTAMP.exec(timestamp)?.[4] ?? '';
  return parseTimestamp(timestamp.slice(0, timestamp.length - zone.length));
}

/** ISO-8601 with seconds and without a zone, for the result of {@link parseLocalTime}. */
export function toLocalTime(instant: Instant): string {
  return new Date(instant).toISOString().replace(/\.\d+Z$/, '');
}

function toOffset(zone: string): string {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
}
