import type { DriveRecord } from '../../../src/drives/lifecycle/contract.ts';
import type { Holdall } from '../app/holdall.ts';
import { Person } from '../app/person.ts';

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

/** A person whose calls are about a shared drive. */
export class MemberInDrive extends Person {
  readonly #chosen: number;

  constructor(person: Person, { id }: Pick<DriveRecord, 'id'>) {
    super(person.username, person.url);
    this.login = person.login;
    this.#chosen = id;
  }

  override fetch(...[method, path, options = {}]: Parameters<Person['fetch']>): Promise<Response> {
    const headers = { 'x-service-drive': String(this.#chosen), ...options.headers };
    return super.fetch(method, path, { ...options, headers });
  }
}

/** Runs the maintenance until the deleted drives are purged that are due. */
export async function purgeDrives({ app }: Holdall): Promise<void> {
  await app.drivePurgeJob.settle();
  await app.drivePurge.run(new AbortController().signal);
}
