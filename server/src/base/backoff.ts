/** The delay before the next try: `baseMs` at step 0, doubled with each step, never more than `maxMs`. */
export function doublingDelayMs(step: number, baseMs: number, maxMs: number): number {
  return Math.min(baseMs * 2 ** Math.min(Math.max(step, 0), 40), maxMs);
}
