// Dates in the formats of properties. A listing of a directory has two for each entry, and JavaScript's own methods
// take longer than all the rest of an entry. Entries of a directory are often of few days, so the part of the day
// is computed once for as long as the day is the same.
import type { Instant } from '../../base/clock.ts';

const DAY_MS = 86_400_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** Writes instants; the day is that of the last one. */
class DateWriter {
  readonly #toDay: (midnight: Date) => string;
  #day = Number.NaN;
  #text = '';

  constructor(toDay: (midnight: Date) => string) {
    this.#toDay = toDay;
  }

  /** The day, hours, minutes and seconds. */
  write(instant: Instant): string {
    const day = Math.floor(instant / DAY_MS);
    if (day !== this.#day) {
      this.#text = this.#toDay(new Date(day * DAY_MS));
      this.#day = day;
    }
    const seconds = Math.floor((instant - day * DAY_MS) / 1_000);
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    return `${this.#text}${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
  }
}

const httpDates = new DateWriter((midnight) => midnight.toUTCString().slice(0, -'00:00:00 GMT'.length));
const isoDates = new DateWriter((midnight) => midnight.toISOString().slice(0, -'00:00:00.000Z'.length));

/** RFC 9110, section 5.6.7, such as `Mon, 23 Nov 2026 01:02:03 GMT`. */
export function toHttpDate(instant: Instant): string {
  return `${httpDates.write(instant)} GMT`;
}

/** RFC 3339, such as `2026-11-23T01:02:03.045Z`. */
export function toIsoDate(instant: Instant): string {
  const milliseconds = ((instant % 1_000) + 1_000) % 1_000;
  return `${isoDates.write(instant)}.${String(milliseconds).padStart(3, '0')}Z`;
}
