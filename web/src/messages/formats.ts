import { currentLanguage } from './i18n.ts';

/** Creating a formatter takes longer than using it a hundred times, and lists use them in every row. */
const made = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

/** A size such as "1.4 MB", in steps of 1,000 like file managers and disks. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  const digits = step === 0 || value >= 100 ? 0 : 1;
  return once(`bytes ${step} ${digits}`, (language) => {
    const unitDisplay = step === 0 ? 'long' : 'short';
    const unit = UNITS[step] ?? 'byte';
    return new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      unitDisplay,
      maximumFractionDigits: digits,
    });
  }).format(value);
}

export function formatTime(iso: string): string {
  return once('time', (language) => {
    return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  }).format(new Date(iso));
}

/**
 * The time on the clock of the place where something happened, whatever the zone of this browser.
 * @param iso its zone is named, if it has one
 */
export function formatLocalTime(iso: string): string {
  const zone = /(?:Z|[+-]\d\d:\d\d)$/.exec(iso)?.[0] ?? '';
  const clock = iso.slice(0, iso.length - zone.length);
  const time = once('local time', (language) => {
    return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  }).format(new Date(`${clock}Z`));
  return zone === '' ? time : `${time} (UTC${zone === 'Z' ? '' : zone})`;
}

/** A date without the time, for narrow columns. */
export function formatDate(iso: string): string {
  return once('date', (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium' })).format(
    new Date(iso),
  );
}

/** @param day such as `2026-11-14`, which has no zone */
export function formatDay(day: string): string {
  return once('day', (language) => {
    return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' });
  }).format(new Date(day));
}

/** @param month such as `2026-11` */
export function formatMonth(month: string): string {
  return once('month', (language) => {
    return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  }).format(new Date(month));
}

export function formatNumber(number: number): string {
  return once('number', (language) => new Intl.NumberFormat(language)).format(number);
}

/**
 * The language of the page as it is used where the user lives, if the browser tells: most people who read English write
 * neither AM nor the month first.
 */
function regionalLanguage(): string {
  const language = currentLanguage();
  return navigator.languages.find((each) => each.startsWith(`${language}-`)) ?? language;
}

/** The formatter of that name for the language of the page. */
function once<T extends Intl.DateTimeFormat | Intl.NumberFormat>(
  name: string,
  make: (language: string) => T,
): T {
  const language = regionalLanguage();
  const key = `${language} ${name}`;
  // A formatter is stored under the name that created it.
  const known = made.get(key) as T | undefined;
  if (known !== undefined) return known;
  const formatter = make(language);
  made.set(key, formatter);
  return formatter;
}
