import { currentLanguage } from '../../../messages/i18n.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A rounded duration such as "12 sec" or "3 min". */
export function formatDuration(seconds: number): string {
  if (seconds < MINUTE) return format(Math.max(1, Math.ceil(seconds)), 'second');
  if (seconds < HOUR) return format(Math.ceil(seconds / MINUTE), 'minute');
  return format(Math.round((10 * seconds) / HOUR) / 10, 'hour');
}

function format(value: number, unit: 'second' | 'minute' | 'hour'): string {
  return new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, unitDisplay: 'short' }).format(
    value,
  );
}
