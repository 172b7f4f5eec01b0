import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { toTextFilter } from '../lists/text-filter.ts';
import { changeLimits, deleteDrive, listDrives, listMembers, restoreDrive, setMember } from './contract.ts';
import type { AdminDrives } from './drives.ts';

/** Drives, their limits and the members of shared ones. */
export function adminDriveRoutes(server: Server, drives: AdminDrives): void {
  mount(server, listDrives, async ({ query }) => {
    const { kind, deleted } = query;
    return drives.list({ query: toTextFilter(query.query), kind, deleted }, toPageRequest(query));
  });

  mount(server, changeLimits, async (request) =>
    drives.setLimits(callerOf(request), request.params.id, request.body),
  );

  mount(server, listMembers, async (request) => drives.listMembers(request.params.id));

  mount(server, setMember, async (request) => {
    const { id, accountId } = request.params;
    return drives.setMember(callerOf(request), { driveId: id, accountId, role: request.body.role });
  });

  mount(server, deleteDrive, async (request) => {
    await drives.delete(callerOf(request), request.params.id, request.body.name);
  });

  mount(server, restoreDrive, async (request) => drives.restore(callerOf(request), request.params.id));
}
