const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Decimal units, three digits: `1.07 GB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en');
}
