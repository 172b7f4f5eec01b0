import type { DriveRole } from '../../../src/base/domain/drives.ts';
import { insertEntry } from '../../../src/drive/entries/entry-queries.ts';
import { toDriveNameColumns } from '../../../src/drives/drives.ts';
import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';
import { ensureManager } from './missing-role.ts';

const MIB = 1_024 ** 2;

interface SharedDriveOptions {
  readonly members?: readonly (readonly [Person, DriveRole])[];
  readonly quotaBytes?: number;
}

/** Inserts an empty shared drive with these members. Returns its id. */
export function insertSharedDrive(
  { app, clock }: Holdall,
  name: string,
  { members = [], quotaBytes = 100 * MIB }: SharedDriveOptions = {},
): Promise<number> {
  const now = clock.now();
  return app.database.transact(async (tx) => {
    const limits = { quota_bytes: quotaBytes, max_upload_bytes: 10 * MIB, max_entries: 1_000 };
    const { id } = await tx
      .insertInto('drive')
      .values({ kind: 'SHARED', account_id: null, ...toDriveNameColumns(name), created_at: now, ...limits })
      .returning('id')
      .executeTakeFirstOrThrow();
    const root = { driveId: id, parentId: null, name: '', changedBy: null, isDirectory: true } as const;
    await insertEntry(tx, { ...root, blobId: null, size: 0, contentType: null }, now);
    for (const [person, role] of members) {
      const member = { drive_id: id, account_id: person.id, role, added_by: null, since: now };
      await tx.insertInto('drive_member').values(member).execute();
    }
    await ensureManager(tx, id, now);
    return id;
  });
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
