import { toTimestamp } from '../../base/dates.ts';
import { Failure } from '../../base/failure.ts';
import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import type { Drives } from '../drives.ts';
import {
  addMember,
  changeMember,
  findPeople,
  listMembers,
  type MemberRecord,
  removeMember,
} from './contract.ts';
import type { AccountToFind } from './people.ts';
import type { Member } from './queries.ts';

/** The members of shared drives, and the search for people who could become members. */
export function memberRoutes(server: Server, { members, people }: Drives): void {
  mount(server, listMembers, async (request) => {
    const listed = await members.list(callerOf(request), request.params.id);
    return listed.map(toRecord);
  });

  mount(server, addMember, async (request) => {
    const named = toAccountToFind(request.body);
    return toRecord(await members.add(callerOf(request), request.params.id, named, request.body.role));
  });

  mount(server, changeMember, async (request) => {
    const { id: driveId, accountId } = request.params;
    return toRecord(await members.setRole(callerOf(request), { driveId, accountId }, request.body.role));
  });

  mount(server, removeMember, async (request) => {
    const { id: driveId, accountId } = request.params;
    await members.remove(callerOf(request), { driveId, accountId });
  });

  mount(server, findPeople, async (request) =>
    people.search(callerOf(request).accountId, request.query.query ?? ''),
  );
}

function toAccountToFind(body: { username?: string | null; email?: string | null }): AccountToFind {
  const [username, email] = [body.username ?? undefined, body.email ?? undefined];
  if (username !== undefined && email === undefined) return { username };
  if (email !== undefined && username === undefined) return { email };
  throw new Failure('invalid', 'Either username or email is necessary.');
}

function toRecord({ since, ...member }: Member): MemberRecord {
  return { ...member, since: toTimestamp(since) };
}
