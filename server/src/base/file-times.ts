import { type Instant, parseTimestamp, SECOND } from './clock.ts';

/** Longer than any text in these formats. */
const MAX_TEXT = 64;

/** A year has four digits in ISO-8601 and in HTTP. */
const MIN = Date.UTC(-1, 11, 31, 24);
const MAX = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const SECONDS = /^[+-]?\d{1,12}(\.\d{0,20})?(e[+-]?\d{1,2})?$/i;

// IMF-fixdate, RFC 850 date and asctime date (RFC 9110, section 5.6.7). `Date.parse` alone accepts more.
const ZONED_DATE = /^[A-Z][a-z]+, \d\d[ -][A-Z][a-z]{2}[ -](\d{4}|\d\d) \d\d:\d\d:\d\d GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** Reads one of the three forms of a date in HTTP. Undefined for anything else. */
export function parseHttpDate(text: string): Instant | undefined {
  const trimmed = text.trim();
  const isAsctime = ASCTIME_DATE.test(trimmed);
  if (!isAsctime && !ZONED_DATE.test(trimmed)) return undefined;
  return toFileTime(Date.parse(isAsctime ? `${trimmed} GMT` : trimmed));
}

/** Reads the modification date of a file, in ISO-8601 or HTTP format. Undefined for anything else. */
export function parseFileTime(text: string): Instant | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const instant = parseTimestamp(text);
  return instant === undefined ? parseHttpDate(text) : toFileTime(instant);
}

/** Reads seconds since 1970, perhaps negative, with a fraction or an exponent. Undefined for anything else. */
export function parseUnixTime(text: string): Instant | undefined {
  const trimmed = text.length > MAX_TEXT ? '' : text.trim();
  return SECONDS.test(trimmed) ? toFileTime(Number(trimmed) * SECOND) : undefined;
}

/** The instant, rounded down to a whole millisecond. Undefined if its year does not have four digits. */
export function toFileTime(instant: number): Instant | undefined {
  const time = Math.floor(instant);
  return time >= MIN && time <= MAX ? time : undefined;
}
