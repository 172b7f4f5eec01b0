import { DAY, type Instant, MINUTE } from '../base/clock.ts';

/** 15 minutes, aligned to UTC. Every hour and day of every time zone consists of whole quarters. */
export const QUARTER = 15 * MINUTE;

/** An upper bound for the quarters in a day; some days have 25 hours. */
const MAX_QUARTERS = 26 * 4;

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** An hour of local time. Clock changes shorten, repeat or skip hours. */
interface LocalHour {
  /** 0-23 */
  readonly hour: number;
  readonly label: string;
  readonly start: Instant;
  /** The start of the next hour; for the current hour the end of the current quarter. */
  readonly end: Instant;
}

/** Days and hours in the server's time zone. */
export class LocalCalendar {
  readonly #offsetOf: (instant: Instant) => number;

  /** @param timeZone a valid IANA name */
  constructor(timeZone: string) {
    this.#offsetOf = timeZone === 'UTC' ? () => 0 : offsetReader(timeZone);
  }

  /** `2026-11-21` */
  dayOf(instant: Instant): string {
    return new Date(instant + this.#offsetOf(instant)).toISOString().slice(0, 10);
  }

  startOfDay(instant: Instant): Instant {
    const day = this.dayOf(instant);
    let start = startOfQuarter(instant);
    while (this.dayOf(start - QUARTER) === day) start -= QUARTER;
    return start;
  }

  /** The start of the next day. */
  endOfDay(instant: Instant): Instant {
    const start = this.startOfDay(instant);
    const day = this.dayOf(instant);
    for (let quarter = 1; quarter <= MAX_QUARTERS; quarter += 1) {
      const end = start + quarter * QUARTER;
      if (this.dayOf(end) !== day) return end;
    }
    throw new Error(`The day ${day} has no end.`);
  }

  /**
   * The hours of the day that have begun at the instant. A day on which clocks go forward has 23 hours in
   * all. A day on which clocks go back has one hour twice, and the label of the second one includes its UTC
   * offset.
   */
  hoursUntil(instant: Instant): readonly LocalHour[] {
    const hours: { hour: number; label: string; start: Instant; end: Instant; offset: number }[] = [];
    for (let start = this.startOfDay(instant); start <= instant; start += QUARTER) {
      const offset = this.#offsetOf(start);
      const hour = new Date(start + offset).getUTCHours();
      const last = hours.at(-1);
      if (last?.hour === hour && last.offset === offset) {
        last.end = start + QUARTER;
        continue;
      }
      const isRepeated = hours.some((earlier) => earlier.hour === hour);
      const label = `${twoDigits(hour)}:00${isRepeated ? ` (${describeOffset(offset)})` : ''}`;
      hours.push({ hour, label, start, end: start + QUARTER, offset });
    }
    return hours.map(({ offset: _offset, ...hour }) => hour);
  }

  /** The last `count` days in ascending order; the last one is the day of the instant. */
  daysUntil(instant: Instant, count: number): readonly { date: string; label: string }[] {
    const today = Date.parse(this.dayOf(instant));
    return Array.from({ length: count }, (_, index) => {
      const day = new Date(today - (count - 1 - index) * DAY);
      const date = day.toISOString().slice(0, 10);
      return { date, label: `${WEEKDAYS[day.getUTCDay()]} ${date.slice(5)}` };
    });
  }
}

export function startOfQuarter(instant: Instant): Instant {
  return instant - (instant % QUARTER);
}

/** Returns a function that reads the UTC offset of a time zone in milliseconds. */
function offsetReader(timeZone: string): (instant: Instant) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (instant) => {
    const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
    const distance = (Number(hours) * 60 + Number(minutes)) * MINUTE;
    return sign === '-' ? -distance : distance;
  };
}

function describeOffset(offset: number): string {
  const minutes = Math.abs(offset) / MINUTE;
  return `UTC${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
