import { sql } from 'kysely';
import type { Instant } from '../../../src/base/clock.ts';
import type { DriveRole } from '../../../src/base/domain/drives.ts';
import type { Tx } from '../../../src/database/database.ts';
import { insertEntry } from '../../../src/drive/entries/entry-queries.ts';
import { type DriveLimits, toDriveNameColumns } from '../../../src/drives/drives.ts';
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

/** Runs the maintenance until all deleted drives that are due are purged. */
export async function purgeDrives({ app }: Holdall): Promise<void> {
  await app.drivePurgeJob.settle();
  await app.drivePurge.run(new AbortController().signal);
}

/** The header that chooses the drive of a call. */
export const DRIVE_HEADER = 'x-service-drive';

/** Members in the order in which they joined. */
export type DriveMembers = readonly (readonly [person: { readonly id: number }, role: DriveRole])[];

interface NewDrive extends Partial<DriveLimits> {
  readonly name?: string;
  /** By default null, as if the account were gone. */
  readonly creatorId?: number | null;
  readonly deletedAt?: Instant;
}

/**
 * Inserts a shared drive with an empty root directly in the database, which is fast and checks no rules. A
 * drive without a manager is possible; the doctor reports it. Returns the id.
 */
export function createSharedDrive(
  { app: { database }, clock }: Pick<Holdall, 'app' | 'clock'>,
  members: DriveMembers,
  drive: NewDrive = {},
): Promise<number> {
  return database.transact((tx) => insertDrive(tx, clock.now(), members, drive));
}

/** Does the same as {@link createSharedDrive}. If no member is a manager, the admin becomes one. */
export function createManagedDrive(
  { app: { database }, clock }: Pick<Holdall, 'app' | 'clock'>,
  members: DriveMembers,
  drive: NewDrive = {},
): Promise<number> {
  const now = clock.now();
  return database.transact(async (tx) => {
    const id = await insertDrive(tx, now, members, drive);
    await ensureManager(tx, id, now);
    return id;
  });
}

/** Does the same as {@link createSharedDrive} in the caller's transaction. */
export async function insertDrive(
  tx: Tx,
  now: Instant,
  members: DriveMembers,
  { name = 'Team', creatorId = null, deletedAt, ...limits }: NewDrive = {},
): Promise<number> {
  const { quotaBytes = 1_000_000_000, maxUploadBytes = quotaBytes, maxEntries = 10_000 } = limits;
  const { id } = await tx
    .insertInto('drive')
    .values({
      ...{ kind: 'SHARED', ...toDriveNameColumns(name), creator_id: creatorId },
      ...{ quota_bytes: quotaBytes, max_upload_bytes: maxUploadBytes, max_entries: maxEntries },
      ...{ created_at: now, deleted_at: deletedAt ?? null, member_count: members.length },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const root = { driveId: id, parentId: null, name: '', changedBy: null } as const;
  await insertEntry(tx, { ...root, isDirectory: true, blobId: null, size: 0, contentType: null }, now);
  const first = members[0]?.[0].id ?? null;
  for (const [index, [{ id: accountId }, role]] of members.entries()) {
    const added = { added_by: index === 0 ? null : first, since: now + index };
    await tx
      .insertInto('drive_member')
      .values({ drive_id: id, account_id: accountId, role, ...added })
      .execute();
  }
  return id;
}

/** Marks a drive as deleted directly in the database, without ending its uploads and tasks. */
export async function markDeleted(
  { app: { database }, clock }: Pick<Holdall, 'app' | 'clock'>,
  driveId: number,
  deletedAt: Instant = clock.now(),
): Promise<void> {
  await database.transact((tx) =>
    tx.updateTable('drive').set({ deleted_at: deletedAt }).where('id', '=', driveId).execute(),
  );
}

/** Makes the admin the manager of a drive that has none, so that the doctor does not report it. */
export async function ensureManager(tx: Tx, driveId: number, now: number): Promise<void> {
  await sql`insert into drive_member (drive_id, account_id, role, since)
    select cast(${driveId} as bigint), min(id), 'MANAGER', cast(${now} as bigint) from account where role = 'ADMIN'
      and not exists (select 1 from drive_member where drive_id = ${driveId} and role = 'MANAGER')
    having min(id) is not null`.execute(tx);
  await recountMembers(tx, driveId);
}

/** Corrects the member count of a drive whose members were changed directly in the database. */
export async function recountMembers(tx: Tx, driveId: number): Promise<void> {
  await sql`update drive set member_count = (select count(*) from drive_member where drive_id = ${driveId})
    where id = ${driveId}`.execute(tx);
}

/** A person, with the same login, whose calls all choose a shared drive. */
export class PersonInDrive extends Person {
  readonly sharedDriveId: number;
  readonly #person: Person;

  constructor(person: Person, driveId: number) {
    super(person.username, person.url);
    this.login = person.login;
    this.sharedDriveId = driveId;
    this.#person = person;
  }

  override get driveId(): number {
    return this.#person.driveId;
  }

  override fetch(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    const headers = { [DRIVE_HEADER]: String(this.sharedDriveId), ...options.headers };
    return super.fetch(method, path, { ...options, headers });
  }
}

/** The same person, with the same login, in another drive. */
export function inDrive(person: Person, driveId: number): PersonInDrive {
  return new PersonInDrive(person, driveId);
}
