/** From this percentage of a limit on, a meter warns. */
export const NEARLY_FULL = 80;
const FULL = 95;

/** The colour of a meter: it warns before the limit is reached. */
export function meterColorOf(percent: number): 'blue' | 'orange' | 'red' {
  if (percent >= FULL) return 'red';
  return percent >= NEARLY_FULL ? 'orange' : 'blue';
}
