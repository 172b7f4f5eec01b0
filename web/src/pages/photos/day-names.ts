import { capitalise } from '../../messages/relative-date.ts';

/**
 * Names days as short as their distance allows: "Today", "Yesterday", "Wed 25 Nov", "Wed 25 Nov 2025".
 * @param today such as `2026-11-14`
 */
export function namerOfDays(locale: string, today: string): (day: string) => string {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  const thisYear = new Intl.DateTimeFormat(locale, parts);
  const otherYears = new Intl.DateTimeFormat(locale, { ...parts, year: 'numeric' });
  const near = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const yesterday = new Date(Date.parse(today) - DAY_MS).toISOString().slice(0, today.length);
  return (day) => {
    if (day === today) return capitalise(near.format(0, 'day'), locale);
    if (day === yesterday) return capitalise(near.format(-1, 'day'), locale);
    const isThisYear = day.slice(0, 4) === today.slice(0, 4);
    // Whether a comma follows the weekday differs even within a language.
    return (isThisYear ? thisYear : otherYears).format(new Date(day)).replace(/^(\p{L}+\.?), /u, '$1 ');
  };
}

const DAY_MS = 86_400_000;

/** The widest names of days in this year and in other years, to measure how much room headings need. */
export function sampleDays(
  today: string,
): readonly [thisYear: readonly string[], otherYears: readonly string[]] {
  const days = Array.from({ length: 12 }, (_, month) => `${String(month + 1).padStart(2, '0')}-2`);
  const inYear = (year: string) => days.map((day, at) => `${year}-${day}${at % 9}`);
  const year = today.slice(0, 4);
  return [inYear(year), inYear(String(Number(year) - 1))];
}
