import type { Database, Tx } from '../../database/database.ts';
import { type Drive, type Entry, MAX_SHORT_CHANGES } from '../../drive/drive.ts';
import type { Drives } from '../../drives/drives.ts';
import type { LockTarget, LockView } from '../locks/lock.ts';
import type { Locks } from '../locks/locks.ts';
import type { Preconditions } from '../preconditions.ts';
import { parentTarget, type Resource } from '../resource.ts';
import type { SharedDrives } from '../shared-drives/shared-drives.ts';

/** What the methods that change a drive need. */
export interface ChangeContext {
  readonly database: Database;
  readonly drives: Drives;
  readonly drive: Drive;
  readonly locks: Locks;
  readonly preconditions: Preconditions;
  readonly sharedDrives: SharedDrives;
}

/**
 * What must not be locked for a resource to be replaced or removed: its directory, whose members change (RFC
 * 4918, section 7.4), the entry itself, and every locked entry below it.
 */
export function targetsOfRemoval(resource: Resource, view: LockView): readonly LockTarget[] {
  const below = resource.entry === undefined ? [] : view.targetsBelow(resource.entry.id);
  return [...targetsOfCreation(resource), ...(resource.exists ? [resource] : []), ...below];
}

/** What must not be locked for a resource to be created: its directory, which gets a new member. */
export function targetsOfCreation(resource: Resource): readonly LockTarget[] {
  const parent = parentTarget(resource);
  return parent === undefined ? [] : [parent];
}

/** Ends the locks of an entry and of everything below it (RFC 4918, section 9.6 and section 7.5). */
export async function endLocks(tx: Tx, locks: Locks, view: LockView, { id }: Entry): Promise<void> {
  await locks.remove(tx, view.within(id));
}

/** For work that changes every entry of a tree, which takes long if there are many. */
export async function changesManyEntries(tx: Tx, drive: Drive, { entry }: Resource): Promise<boolean> {
  return entry?.isDirectory === true && (await drive.placement.isLargeTree(tx, entry.id, MAX_SHORT_CHANGES));
}
