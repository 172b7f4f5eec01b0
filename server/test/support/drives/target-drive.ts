import type { Instant } from '../../../src/base/clock.ts';
import type { Tx } from '../../../src/database/database.ts';
import type { DriveLimits } from '../../../src/drives/drives.ts';
import type { Holdall } from '../app/holdall.ts';
import { createManagedDrive, type DriveMembers, ensureManager, insertDrive } from './shared-drives.ts';

const LIMITS: DriveLimits = { quotaBytes: 1_000_000, maxUploadBytes: 1_000_000, maxEntries: 100_000 };

/** Inserts a shared drive with these members and an empty root. Returns its id. */
export function insertSharedDrive(
  holdall: Holdall,
  members: DriveMembers,
  limits: Partial<DriveLimits> = {},
): Promise<number> {
  return createManagedDrive(holdall, members, { name: 'Shared', ...LIMITS, ...limits });
}

/** Does the same as {@link insertSharedDrive} in the caller's transaction. */
export async function insertSharedDriveIn(
  tx: Tx,
  now: Instant,
  members: DriveMembers,
  limits: Partial<DriveLimits> = {},
): Promise<number> {
  const id = await insertDrive(tx, now, members, { name: 'Shared', ...LIMITS, ...limits });
  await ensureManager(tx, id, now);
  return id;
}
