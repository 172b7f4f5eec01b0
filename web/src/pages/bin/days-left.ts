const DAY_MS = 24 * 60 * 60 * 1_000;

/** Days until then, rounded up; 0 if it has passed. */
export function daysLeft(expiresAt: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / DAY_MS));
}
