import { currentLanguage, currentLocale } from './i18n.ts';

/** Creating a formatter takes longer than using it a hundred times, and lists use them in every row. */
const made = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

/** As people in China write them; the language data has `6字节` and `18.4 kB`. */
const CHINESE_UNITS = ['字节', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** A size such as "1.4 MB", in steps of 1,000 like file managers and disks. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  const digits = step === 0 || value >= 100 ? 0 : 1;
  const isChinese = currentLanguage() === 'zh-CN';
  const text = once(`bytes ${isChinese ? '' : step} ${digits}`, (locale) => {
    const unitDisplay = step === 0 ? 'long' : 'short';
    const unit = UNITS[step] ?? 'byte';
    return new Intl.NumberFormat(locale, {
      ...(isChinese ? {} : { style: 'unit', unit, unitDisplay }),
      maximumFractionDigits: digits,
    });
  }).format(value);
  return isChinese ? `${text} ${CHINESE_UNITS[step] ?? ''}` : text;
}

export function formatTime(iso: string): string {
  return once('time', (locale) => {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  }).format(new Date(iso));
}

/**
 * The time on the clock of the place where something happened, whatever the zone of this browser.
 * @param iso its zone is named, if it has one
 */
export function formatLocalTime(iso: string): string {
  const zone = /(?:Z|[+-]\d\d:\d\d)$/.exec(iso)?.[0] ?? '';
  const clock = iso.slice(0, iso.length - zone.length);
  const time = once('local time', (locale) => {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  }).format(new Date(`${clock}Z`));
  return zone === '' ? time : `${time} (UTC${zone === 'Z' ? '' : zone})`;
}

/** A date without the time, for narrow columns. */
export function formatDate(iso: string): string {
  return once('date', (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })).format(
    new Date(iso),
  );
}

/** @param day such as `2026-11-14`, which has no zone */
export function formatDay(day: string): string {
  return once('day', (locale) => {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' });
  }).format(new Date(day));
}

/** @param month such as `2026-11` */
export function formatMonth(month: string): string {
  return once('month', (locale) => {
    return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  }).format(new Date(month));
}

export function formatNumber(number: number): string {
  return once('number', (locale) => new Intl.NumberFormat(locale)).format(number);
}

/** The formatter of that name for the language of the page and the region of the user. */
function once<T extends Intl.DateTimeFormat | Intl.NumberFormat>(
  name: string,
  make: (locale: string) => T,
): T {
  const locale = currentLocale();
  const key = `${locale} ${name}`;
  // A formatter is stored under the name that created it.
  const known = made.get(key) as T | undefined;
  if (known !== undefined) return known;
  const formatter = make(locale);
  made.set(key, formatter);
  return formatter;
}
