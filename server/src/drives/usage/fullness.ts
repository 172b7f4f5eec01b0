import type { Tx } from '../../database/database.ts';
import { type Fullness, setNearlyFull } from './queries.ts';

/** From this share of its quota on, a drive is nearly full. */
const NEARLY_FULL = 0.9;
/** Below this share, a drive can become nearly full again. So those in charge are not told all the time. */
const HAS_ROOM = 0.8;

/** Whether a change has just made the drive nearly full. */
export function hasBecomeNearlyFull({ usedBytes, quotaBytes, isNearlyFull }: Fullness): boolean {
  return isNearlyFull === 0 && usedBytes >= quotaBytes * NEARLY_FULL;
}

/** Notes that a drive has room again, so that it can become nearly full again. Usually runs no statement. */
export async function noteEmptier(
  tx: Tx,
  driveId: number,
  { usedBytes, quotaBytes, isNearlyFull }: Fullness,
): Promise<void> {
  if (isNearlyFull === 1 && usedBytes < quotaBytes * HAS_ROOM) await setNearlyFull(tx, driveId, 0);
}
