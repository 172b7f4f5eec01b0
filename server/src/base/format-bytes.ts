const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
const STEP = 1_000;

/** A size for people, with at most one digit after the point: `1.5 MB`. */
export function formatBytes(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  // From 999.95 on, the amount would be rounded to 1,000.
  while (amount >= STEP - 0.05 && unit < UNITS.length - 1) {
    amount /= STEP;
    unit += 1;
  }
  const digits = unit === 0 || amount >= 10 ? 0 : 1;
  return `${Number(amount.toFixed(digits))} ${UNITS[unit]}`;
}
