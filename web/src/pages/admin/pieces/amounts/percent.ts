/**
 * A whole percentage for a meter: at most 100, and at least 1 for any positive share, so that it is visible.
 */
export function percentOf(some: number, all: number): number {
  if (some <= 0) return 0;
  if (all <= 0) return 100;
  return Math.min(100, Math.max(1, Math.round((100 * some) / all)));
}
