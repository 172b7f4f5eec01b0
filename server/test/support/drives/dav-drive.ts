import type { DriveRole } from '../../../src/base/domain/drives.ts';
import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';
import { createManagedDrive } from './shared-drives.ts';

const MIB = 1_024 ** 2;

interface SharedDriveOptions {
  readonly members?: readonly (readonly [Person, DriveRole])[];
  readonly quotaBytes?: number;
}

/** Inserts an empty shared drive with these members and a manager. Returns its id. */
export function insertSharedDrive(
  holdall: Holdall,
  name: string,
  { members = [], quotaBytes = 100 * MIB }: SharedDriveOptions = {},
): Promise<number> {
  const limits = { quotaBytes, maxUploadBytes: 10 * MIB, maxEntries: 1_000 };
  return createManagedDrive(holdall, members, { name, ...limits });
}

/** Gives a member another role, or lets the member leave. The drive must keep a manager. */
export async function setRole(
  { app }: Holdall,
  driveId: number,
  { id: accountId, driveId: personalDriveId }: Person,
  role: DriveRole | undefined,
): Promise<void> {
  const { drives } = app;
  if (role === undefined) {
    await drives.members.remove({ accountId, driveId: personalDriveId }, { driveId, accountId });
    return;
  }
  const system = { driveId, accountId: null };
  const member = { driveId, accountId, role, addedBy: null };
  await drives.withDriveLock(system, 0, (tx) => drives.members.put(tx, member));
}

/** Marks a shared drive as deleted. */
export async function deleteSharedDrive({ app, clock }: Holdall, driveId: number): Promise<void> {
  const deleted = { deleted_at: clock.now() };
  await app.database.transact((tx) =>
    tx.updateTable('drive').set(deleted).where('id', '=', driveId).execute(),
  );
}
