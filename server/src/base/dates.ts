// Converts instants to text. A directory listing has three for each entry, and JavaScript's own methods take
// longer than the rest of an entry. Many entries share the same days, so the text of a day is cached.
import { DAY, type Instant, SECOND } from './clock.ts';

/** A power of two. Days whose numbers are equal in their lowest bits share a slot. */
const KEPT_DAYS = 64;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** Writes instants in a format that begins with the day. */
class DateWriter {
  readonly #toDay: (midnight: Date) => string;
  readonly #days = new Float64Array(KEPT_DAYS).fill(Number.NaN);
  readonly #texts: string[] = new Array(KEPT_DAYS).fill('');

  /** @param toDay the text of an instant at midnight, up to its hours */
  constructor(toDay: (midnight: Date) => string) {
    this.#toDay = toDay;
  }

  /** The day, hours, minutes and seconds. @throws RangeError for what is not an instant */
  write(instant: Instant): string {
    const day = Math.floor(instant / DAY);
    const slot = day & (KEPT_DAYS - 1);
    if (day !== this.#days[slot]) {
      this.#texts[slot] = this.#toDay(new Date(day * DAY));
      this.#days[slot] = day;
    }
    const seconds = Math.floor((instant - day * DAY) / SECOND);
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    return `${this.#texts[slot]}${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
  }
}

const httpDates = new DateWriter((midnight) => midnight.toUTCString().slice(0, -'00:00:00 GMT'.length));
const isoDates = new DateWriter((midnight) => midnight.toISOString().slice(0, -'00:00:00.000Z'.length));

/** RFC 9110, section 5.6.7, such as `Mon, 23 Nov 2026 01:02:03 GMT`. */
export function toHttpDate(instant: Instant): string {
  return `${httpDates.write(instant)} GMT`;
}

/** RFC 3339 in UTC, such as `2026-11-23T01:02:03.045Z`: the form of every timestamp in a response. */
export function toTimestamp(instant: Instant): string {
  const milliseconds = ((instant % 1_000) + 1_000) % 1_000;
  return `${isoDates.write(instant)}.${String(milliseconds).padStart(3, '0')}Z`;
}
