import type { Instant } from '../../../src/base/clock.ts';
import type { DriveRole } from '../../../src/base/domain/drives.ts';
import { toNameColumns } from '../../../src/database/name-columns.ts';
import { toDriveNameColumns } from '../../../src/drives/drives.ts';
import type { Holdall } from '../app/holdall.ts';
import { type CallOptions, Person } from '../app/person.ts';

interface SharedDrive {
  readonly name: string;
  readonly members?: readonly (readonly [person: { readonly id: number }, role: DriveRole])[];
  readonly deletedAt?: Instant;
}

/** Adds an empty shared drive with these members. Returns its id. */
export async function addSharedDrive(
  { app, clock }: Holdall,
  { name, members = [], deletedAt }: SharedDrive,
): Promise<number> {
  const now = clock.now();
  return app.database.transact(async (tx) => {
    const { id } = await tx
      .insertInto('drive')
      .values({
        ...{ kind: 'SHARED', ...toDriveNameColumns(name), creator_id: members[0]?.[0].id ?? null },
        ...{ quota_bytes: 1_000_000, max_upload_bytes: 100_000, max_entries: 1_000 },
        ...{ created_at: now, deleted_at: deletedAt ?? null },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const [person, role] of members) {
      const member = { drive_id: id, account_id: person.id, role, added_by: null, since: now };
      await tx.insertInto('drive_member').values(member).execute();
    }
    await tx
      .insertInto('entry')
      .values({
        ...{ drive_id: id, parent_id: null, ...toNameColumns(''), is_directory: 1, blob_id: null, size: 0 },
        ...{ content_type: null, kind: null, child_count: 0, copied_from: null, deleted_at: null },
        ...{ bin_root_id: null, bin_parent_path: null, created_at: now, updated_at: now, modified_at: now },
      })
      .execute();
    return id;
  });
}

/** A person whose calls all choose one drive. */
class PersonInDrive extends Person {
  readonly #driveId: number;

  constructor(person: Person, driveId: number) {
    super(person.username, person.url);
    this.login = person.login;
    this.#driveId = driveId;
  }

  override fetch(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    const headers = { 'x-service-drive': String(this.#driveId), ...options.headers };
    return super.fetch(method, path, { ...options, headers });
  }
}

/** The same person with the same login, in a shared drive. */
export function inDrive(person: Person, driveId: number): Person {
  return new PersonInDrive(person, driveId);
}
