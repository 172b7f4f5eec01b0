import { currentLanguage } from './i18n.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

/** Such as "1.4 MB": in steps of 1,000, as file managers and disks count. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  return new Intl.NumberFormat(currentLanguage(), {
    style: 'unit',
    unit: UNITS[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step === 0 || value >= 100 ? 0 : 1,
  }).format(value);
}

export function formatTime(iso: string): string {
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(iso),
  );
}

/** Where there is no room for the time of the day. */
export function formatDate(iso: string): string {
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium' }).format(new Date(iso));
}

export function formatNumber(number: number): string {
  return new Intl.NumberFormat(currentLanguage()).format(number);
}
