import type { DriveRole } from '../../../src/base/domain/drives.ts';
import { toDriveNameColumns } from '../../../src/drives/drives.ts';
import type { Holdall } from '../app/holdall.ts';
import { type CallOptions, Person } from '../app/person.ts';
import { ensureManager } from './missing-role.ts';

const GIB = 2 ** 30;

/** Makes an empty shared drive with these members. Returns its id. */
export function makeSharedDrive(
  { app: { database }, clock }: Holdall,
  name: string,
  members: readonly (readonly [Person, DriveRole])[],
): Promise<number> {
  const now = clock.now();
  return database.transact(async (tx) => {
    const { id } = await tx
      .insertInto('drive')
      .values({
        ...{ kind: 'SHARED', ...toDriveNameColumns(name), account_id: null, created_at: now },
        ...{ quota_bytes: GIB, max_upload_bytes: GIB, max_entries: 100_000 },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('entry')
      .values({
        ...{ drive_id: id, parent_id: null, name: '', folded_name: '', plain_name: null, is_directory: 1 },
        ...{ blob_id: null, size: 0, content_type: null, kind: null, child_count: 0, copied_from: null },
        ...{ created_at: now, updated_at: now, deleted_at: null, bin_root_id: null, bin_parent_path: null },
      })
      .execute();
    for (const [person, role] of members) {
      await tx
        .insertInto('drive_member')
        .values({ drive_id: id, account_id: person.id, role, added_by: null, since: now })
        .execute();
    }
    await ensureManager(tx, id, now);
    return id;
  });
}

/** A person whose every request is about the shared drive. */
export class Member extends Person {
  readonly sharedDriveId: number;

  constructor(person: Person, driveId: number) {
    super(person.username, person.url);
    this.login = person.login;
    this.driveId = person.driveId;
    this.sharedDriveId = driveId;
  }

  override fetch(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    const headers = { 'x-service-drive': String(this.sharedDriveId), ...options.headers };
    return super.fetch(method, path, { ...options, headers });
  }
}
