import type { Holdall } from '../app/holdall.ts';
import { createManagedDrive, type DriveMembers } from './shared-drives.ts';

export { PersonInDrive as Member } from './shared-drives.ts';

/** Makes an empty shared drive with these members and a manager. Returns its id. */
export function makeSharedDrive(holdall: Holdall, name: string, members: DriveMembers): Promise<number> {
  return createManagedDrive(holdall, members, { name });
}
