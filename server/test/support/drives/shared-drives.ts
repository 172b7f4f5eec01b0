import type { DriveRole } from '../../../src/base/domain/drives.ts';
import { insertEntry } from '../../../src/drive/entries/entry-queries.ts';
import { toDriveNameColumns } from '../../../src/drives/drives.ts';
import type { DriveRecord } from '../../../src/drives/lifecycle/contract.ts';
import type { Holdall } from '../app/holdall.ts';
import { type CallOptions, Person } from '../app/person.ts';

export const DRIVES = '/api/v2/drives';

interface FirstMember {
  readonly person: Person;
  readonly role: 'VIEWER' | 'EDITOR' | 'MANAGER';
}

export function createDrive(
  owner: Person,
  name = 'Team',
  members: readonly FirstMember[] = [],
): Promise<DriveRecord> {
  const first = members.map(({ person, role }) => ({ username: person.username, role }));
  return owner.ask('POST', DRIVES, { body: { name, members: first } });
}

export function listDrives(person: Person, { deleted = false } = {}): Promise<readonly DriveRecord[]> {
  return person.ask('GET', deleted ? `${DRIVES}?deleted=true` : DRIVES);
}

export function deleteDrive(owner: Person, { id, name }: Pick<DriveRecord, 'id' | 'name'>) {
  return owner.call('DELETE', `${DRIVES}/${id}`, { body: { name } });
}

export function restoreDrive(owner: Person, { id }: Pick<DriveRecord, 'id'>) {
  return owner.call<DriveRecord>('POST', `${DRIVES}/${id}/restore`);
}

/** Runs the maintenance until the deleted drives are purged that are due. */
export async function purgeDrives({ app }: Holdall): Promise<void> {
  await app.drivePurgeJob.settle();
  await app.drivePurge.run(new AbortController().signal);
}

/** The header that chooses the drive of a call. */
export const DRIVE_HEADER = 'x-service-drive';

interface DriveOptions {
  readonly name?: string;
  readonly quotaBytes?: number;
}

/** Inserts a shared drive with an empty root, and its members in the order in which they joined. */
export async function createSharedDrive(
  { app: { database }, clock }: Pick<Holdall, 'app' | 'clock'>,
  members: readonly (readonly [Person, DriveRole])[],
  { name = 'Team', quotaBytes = 1_000_000_000 }: DriveOptions = {},
): Promise<number> {
  return database.transact(async (tx) => {
    const limits = { quota_bytes: quotaBytes, max_upload_bytes: quotaBytes, max_entries: 10_000 };
    const { id } = await tx
      .insertInto('drive')
      .values({ kind: 'SHARED', ...toDriveNameColumns(name), created_at: clock.now(), ...limits })
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
    await insertEntry(tx, { ...root, size: 0, contentType: null }, clock.now());
    const first = members[0]?.[0].id ?? null;
    for (const [index, [{ id: accountId }, role]] of members.entries()) {
      const added = { added_by: index === 0 ? null : first, since: clock.now() + index };
      await tx
        .insertInto('drive_member')
        .values({ drive_id: id, account_id: accountId, role, ...added })
        .execute();
    }
    return id;
  });
}

/** A person whose calls choose a drive. */
class PersonInDrive extends Person {
  readonly #chosen: number;

  constructor(person: Person, driveId: number) {
    super(person.username, person.url);
    this.login = person.login;
    this.#chosen = driveId;
  }

  override fetch(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    const headers = { [DRIVE_HEADER]: String(this.#chosen), ...options.headers };
    return super.fetch(method, path, { ...options, headers });
  }
}

/** The same person, with the same login, in another drive. */
export function inDrive(person: Person, driveId: number): Person {
  return new PersonInDrive(person, driveId);
}
