import type { Instant } from '../../../src/base/clock.ts';
import type { Holdall } from '../app/holdall.ts';
import { createSharedDrive, type DriveMembers } from './shared-drives.ts';

interface SharedDrive {
  readonly name: string;
  readonly members?: DriveMembers;
  readonly deletedAt?: Instant;
}

/** Adds an empty shared drive with small limits, which the first member has created. Returns its id. */
export function addSharedDrive(holdall: Holdall, { members = [], ...drive }: SharedDrive): Promise<number> {
  const limits = { quotaBytes: 1_000_000, maxUploadBytes: 100_000, maxEntries: 1_000 };
  return createSharedDrive(holdall, members, { ...limits, ...drive, creatorId: members[0]?.[0].id ?? null });
}
