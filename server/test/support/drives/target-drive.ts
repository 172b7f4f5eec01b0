import type { Instant } from '../../../src/base/clock.ts';
import type { DriveRole } from '../../../src/base/domain/drives.ts';
import type { Tx } from '../../../src/database/database.ts';
import { insertEntry } from '../../../src/drive/entries/entry-queries.ts';
import { type DriveLimits, toDriveNameColumns } from '../../../src/drives/drives.ts';
import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';
import { ensureManager } from './missing-role.ts';

type Members = readonly (readonly [person: Person, role: DriveRole])[];

const LIMITS: DriveLimits = { quotaBytes: 1_000_000, maxUploadBytes: 1_000_000, maxEntries: 100_000 };

/** Inserts a shared drive with these members and an empty root directly in the database. Returns its id. */
export function insertSharedDrive(
  { app, clock }: Holdall,
  members: Members,
  limits: Partial<DriveLimits> = {},
): Promise<number> {
  return app.database.transact((tx) => insertSharedDriveIn(tx, clock.now(), members, limits));
}

/** Does the same as {@link insertSharedDrive} in the caller's transaction. */
export async function insertSharedDriveIn(
  tx: Tx,
  now: Instant,
  members: Members,
  limits: Partial<DriveLimits> = {},
): Promise<number> {
  const { quotaBytes, maxUploadBytes, maxEntries } = { ...LIMITS, ...limits };
  const { id } = await tx
    .insertInto('drive')
    .values({
      ...{ kind: 'SHARED', account_id: null, ...toDriveNameColumns('Shared'), created_at: now },
      ...{ quota_bytes: quotaBytes, max_upload_bytes: maxUploadBytes, max_entries: maxEntries },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const root = {
    driveId: id,
    parentId: null,
    name: '',
    changedBy: null,
    isDirectory: true,
    blobId: null,
  } as const;
  await insertEntry(tx, { ...root, size: 0, contentType: null }, now);
  for (const [person, role] of members) {
    const member = { drive_id: id, account_id: person.id, role, added_by: null, since: now };
    await tx.insertInto('drive_member').values(member).execute();
  }
  await ensureManager(tx, id, now);
  return id;
}
