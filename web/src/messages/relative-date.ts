const DAY_MS = 86_400_000;

/** Creating a formatter takes longer than using it a hundred times, and lists use them in every row. */
const formatters = new Map<string, Intl.DateTimeFormat>();
const dayWords = new Map<string, Intl.RelativeTimeFormat>();

interface Place {
  readonly locale: string;
  /** By default, the zone of this device. */
  readonly timeZone?: string | undefined;
}

/**
 * A date as short as its distance allows: `19:42` today, `yesterday`, `12 Nov` this year, else `12 Nov 2025`.
 * @param now any moment of the current day
 */
export function formatRelativeDate(iso: string, now: number, { locale, timeZone }: Place): string {
  const time = Date.parse(iso);
  const [day, today] = [dayOf(time, timeZone), dayOf(now, timeZone)];
  const distance = Math.round((Date.parse(day) - Date.parse(today)) / DAY_MS);
  if (distance === 0) return formatterOf(locale, { timeStyle: 'short', timeZone }).format(time);
  if (Math.abs(distance) === 1) return dayWordsOf(locale).format(distance, 'day');
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  const year = isThisYear ? undefined : 'numeric';
  return formatterOf(locale, { day: 'numeric', month: 'short', year, timeZone }).format(time);
}

/** The day in that zone, such as `2026-11-12`. By default, in the zone of this device. */
export function dayOf(time: number, timeZone?: string): string {
  const format = formatterOf('en', { day: '2-digit', month: '2-digit', year: 'numeric', timeZone });
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
}

function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, formatter);
  return formatter;
}

/** Says "yesterday" and "tomorrow". */
function dayWordsOf(locale: string): Intl.RelativeTimeFormat {
  const words = dayWords.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  dayWords.set(locale, words);
  return words;
}

/** Begins with a capital letter, for words that stand alone. */
export function capitalise(text: string, locale: string): string {
  return text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1);
}
