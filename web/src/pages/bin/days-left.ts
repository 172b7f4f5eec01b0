const DAY_MS = 24 * 60 * 60 * 1_000;

/** Whole days until then, the begun one with them; 0 when it is over. */
export function daysLeft(expiresAt: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / DAY_MS));
}
