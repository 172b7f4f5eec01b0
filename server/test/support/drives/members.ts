import type { DriveRole } from '../../../src/base/domain/drives.ts';
import type { MemberRecord } from '../../../src/drives/members/contract.ts';
import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';

const membersOf = (driveId: number) => `/api/v2/drives/${driveId}/members`;

export function listMembers(person: Person, driveId: number) {
  return person.call<MemberRecord[]>('GET', membersOf(driveId));
}

export function addMember(person: Person, driveId: number, body: object) {
  return person.call<MemberRecord>('POST', membersOf(driveId), { body });
}

export function setRole(person: Person, driveId: number, member: { id: number }, role: DriveRole) {
  return person.call<MemberRecord>('PATCH', `${membersOf(driveId)}/${member.id}`, { body: { role } });
}

export function removeMember(person: Person, driveId: number, member: { id: number }) {
  return person.call<null>('DELETE', `${membersOf(driveId)}/${member.id}`);
}

/** The members of a drive with their roles, in the order in which they joined. */
export async function rolesIn(
  person: Person,
  driveId: number,
): Promise<readonly (readonly [number, string])[]> {
  const { data } = await listMembers(person, driveId);
  return data.map(({ accountId, role }) => [accountId, role]);
}

/** Gives a member another role, or removes the member, without a request. The drive must keep a manager. */
export async function changeRole(
  { app: { drives } }: Holdall,
  driveId: number,
  { id: accountId, driveId: personalDriveId }: Person,
  role: DriveRole | undefined,
): Promise<void> {
  if (role === undefined) {
    await drives.members.remove({ accountId, driveId: personalDriveId }, { driveId, accountId });
    return;
  }
  const system = { driveId, accountId: null };
  const member = { driveId, accountId, role, addedBy: null };
  await drives.withDriveLock(system, 0, (tx) => drives.members.put(tx, member));
}
