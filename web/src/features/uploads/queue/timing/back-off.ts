const FIRST_MS = 1_000;
const LAST_MS = 30_000;

/**
 * How long to wait before the next attempt. The wait doubles each time and is randomised: clients that lost
 * their connection at the same moment must not all return at once.
 *
 * @param failures consecutive failures, from 1
 * @param retryAfter seconds that the service requested
 * @param chance a random number from 0 to 1
 */
export function delayAfter(failures: number, retryAfter: number | undefined, chance: number): number {
  const longest = Math.min(LAST_MS, FIRST_MS * 2 ** (failures - 1));
  return Math.max((retryAfter ?? 0) * 1_000, longest * (0.75 + chance / 4));
}
