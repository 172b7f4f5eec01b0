/** `baseMs`, doubled with each further step (from 0), never more than `mostMs`. */
export function doublingDelayMs(step: number, baseMs: number, mostMs: number): number {
  return Math.min(baseMs * 2 ** Math.min(Math.max(step, 0), 40), mostMs);
}
