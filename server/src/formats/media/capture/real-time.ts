/** The largest offset of any time zone. */
const MAX_ZONE_HOURS = 14;

/**
 * The first year of photography. Cameras whose clock was not set write zeros, blanks or the year of their
 * epoch.
 */
const FIRST_YEAR = 1_826;
const LAST_YEAR = 9_999;

/** Longer than the text of any time. */
export const MAX_TIME_TEXT = 64;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const CLOCK = String.raw`(\d{1,2}): ?(\d{1,2})(?:: ?(\d{1,2})(?:[.,]\d*)?)?`;
const ZONE = String.raw`(?: *(Z|UTC|GMT|[+-]\d{1,2}(?::?\d\d)?))?`;

/** `2026:07:06 07:04:03`, as in EXIF, but also with other programs' separators, blanks and precision. */
const NUMERIC = new RegExp(String.raw`^(\d{4})([:/.-]) ?(\d{1,2})\2 ?(\d{1,2})(?:[ T]+${CLOCK}${ZONE})?$`);
/** `20260706T070403`, without separators. */
const COMPACT = new RegExp(String.raw`^(\d{4})(\d\d)(\d\d)(?:[ T]?(\d\d)(\d\d)(\d\d)${ZONE})?$`);
/** `Mon, 06 Jul 2026 07:04:03 +0200`, as in e-mail. */
const NAMED = new RegExp(
  String.raw`^(?:[A-Z][a-z]{2},? +)?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4})(?: ${CLOCK}${ZONE})?$`,
);
/** `Mon Jul 06 07:04:03 2026`, as C's `asctime` writes it. */
const ASCTIME = new RegExp(String.raw`^[A-Z][a-z]{2} +([A-Z][a-z]{2}) +(\d{1,2}) +${CLOCK} +(\d{4})$`, 'i');

/**
 * Reads a time in any format that cameras and programs write.
 * @param zone recorded separately; used if the text has no zone
 * @returns ISO-8601 with seconds, and a zone if one is known; undefined for an invalid time
 */
export function parseTime(text: string | undefined, zone?: string): string | undefined {
  if (text === undefined || text.length > MAX_TIME_TEXT) return undefined;
  const found = readFields(text.trim());
  if (found === undefined) return undefined;
  const time = toRealTime(found.fields);
  return time === undefined ? undefined : `${time}${parseZone(found.zone ?? '') || parseZone(zone ?? '')}`;
}

type Fields = readonly [
  year: number,
  month: number,
  day: number,
  hours: number,
  minutes: number,
  seconds: number,
];

function readFields(text: string): { fields: Fields; zone: string | undefined } | undefined {
  const numeric = NUMERIC.exec(text);
  if (numeric !== null) {
    const [, year, , month, day, hours, minutes, seconds, zone] = numeric;
    return { fields: toFields(year, Number(month), day, [hours, minutes, seconds]), zone };
  }
  const compact = COMPACT.exec(text);
  if (compact !== null) {
    const [, year, month, day, hours, minutes, seconds, zone] = compact;
    return { fields: toFields(year, Number(month), day, [hours, minutes, seconds]), zone };
  }
  const named = NAMED.exec(text);
  if (named !== null) {
    const [, day, month, year, hours, minutes, seconds, zone] = named;
    return { fields: toFields(year, monthOf(month), day, [hours, minutes, seconds]), zone };
  }
  const asctime = ASCTIME.exec(text);
  if (asctime === null) return undefined;
  const [, month, day, hours, minutes, seconds, year] = asctime;
  return { fields: toFields(year, monthOf(month), day, [hours, minutes, seconds]), zone: undefined };
}

function toFields(
  year: string | undefined,
  month: number,
  day: string | undefined,
  [hours = '0', minutes = '0', seconds = '0']: readonly (string | undefined)[],
): Fields {
  return [Number(year), month, Number(day), Number(hours), Number(minutes), Number(seconds)];
}

/** The number of the month from 1; 0 for an unknown name. */
function monthOf(name = ''): number {
  return MONTHS.findIndex((month) => month.toLowerCase() === name.toLowerCase()) + 1;
}

/**
 * Converts a valid time, including two that clocks may show: 24:00:00 is the next day, and second 60 the next
 * minute.
 */
function toRealTime([year, month, day, hours, minutes, seconds]: Fields): string | undefined {
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12) return undefined;
  const isEndOfDay = hours === 24 && minutes === 0 && seconds === 0;
  if ((hours > 23 && !isEndOfDay) || minutes > 59 || seconds > 60) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  // `Date` turns an invalid day such as 30 February into a later one.
  if (date.getUTCDate() !== day || date.getUTCMonth() !== month - 1) return undefined;
  const time = new Date(date.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1_000);
  return time.getUTCFullYear() > LAST_YEAR ? undefined : time.toISOString().slice(0, 19);
}

/** Reads `+02:00`, `+0200`, `+2` and `Z`; returns an empty text for anything else. */
function parseZone(text: string): string {
  const trimmed = text.trim();
  if (/^(?:Z|UTC|GMT)$/.test(trimmed)) return 'Z';
  const found = /^([+-])(\d{1,2})(?::?([0-5]\d))?$/.exec(trimmed);
  if (found === null) return '';
  const [, sign, hours = '', minutes = '00'] = found;
  return Number(hours) > MAX_ZONE_HOURS ? '' : `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

/** Converts seconds since 1970 to a time in UTC; undefined if the clock was not set. */
export function toUtc(seconds: number): string | undefined {
  if (!(seconds > 0) || seconds > 253_402_300_799) return undefined;
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;
}
