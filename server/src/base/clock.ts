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

const TIMESTAMP =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** An ISO-8601 date, with a time and a zone or without; without a zone it is UTC. Undefined for anything else. */
export function parseTimestamp(text: string): Instant | undefined {
  const found = TIMESTAMP.exec(text.trim());
  if (found === null) return undefined;
  const [, date = '', time = '00:00', fraction = '0', zone = 'Z'] = found;
  // Dates that there are not (the 30th of February) would be taken for later ones.
  const day = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== date) return undefined;
  const seconds = time.length === 5 ? `${time}:00` : time;
  const instant = Date.parse(`${date}T${seconds}.${fraction.slice(0, 3)}${toOffset(zone)}`);
  return Number.isNaN(instant) ? undefined : instant;
}

function toOffset(zone: string): string {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
}
