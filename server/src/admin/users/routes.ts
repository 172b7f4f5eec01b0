import { Failure } from '../../base/failure.ts';
import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { toTextFilter } from '../lists/text-filter.ts';
import {
  changeMaxEntries,
  changeQuota,
  changeRole,
  changeStatus,
  changeUploadLimit,
  createUser,
  deleteIdentity,
  deleteUser,
  listUsers,
  resetPassword,
  resetSecondFactors,
  type StatusBody,
  setPassword,
} from './contract.ts';
import type { AdminUsers } from './users.ts';

export function adminUserRoutes(server: Server, users: AdminUsers): void {
  accountRoutes(server, users);
  credentialRoutes(server, users);
  limitRoutes(server, users);
}

/** Users, with their role and status. */
function accountRoutes(server: Server, users: AdminUsers): void {
  mount(server, listUsers, async ({ query }) => {
    const filter = { query: toTextFilter(query.query), role: query.role };
    return users.list(filter, toPageRequest(query));
  });

  mount(server, createUser, async (request, reply) => {
    const created = await users.create(callerOf(request), request.body);
    reply.header('cache-control', 'no-store');
    return created;
  });

  mount(server, deleteUser, async (request) => {
    await users.delete(callerOf(request), request.params.userId, request.body.username);
  });

  mount(server, changeRole, async (request) =>
    users.setRole(callerOf(request), request.params.userId, request.body.role),
  );

  mount(server, changeStatus, async (request) =>
    users.setBanned(callerOf(request), request.params.userId, toBanned(request.body)),
  );
}

/** What users log in with. */
function credentialRoutes(server: Server, users: AdminUsers): void {
  mount(server, setPassword, async (request) =>
    users.setPassword(callerOf(request), request.params.userId, request.body.newPassword),
  );

  mount(server, resetPassword, async (request) => ({
    temporaryPassword: await users.resetPassword(callerOf(request), request.params.userId),
  }));

  mount(server, resetSecondFactors, async (request) => {
    await users.resetSecondFactors(callerOf(request), request.params.userId);
  });

  mount(server, deleteIdentity, async (request) => {
    const { userId, identityId } = request.params;
    await users.deleteIdentity(callerOf(request), userId, identityId);
  });
}

/** The limits of users. */
function limitRoutes(server: Server, users: AdminUsers): void {
  mount(server, changeQuota, async (request) =>
    users.setLimit(callerOf(request), request.params.userId, 'quotaBytes', request.body.storageQuotaBytes),
  );

  mount(server, changeUploadLimit, async (request) =>
    users.setLimit(
      callerOf(request),
      request.params.userId,
      'maxUploadBytes',
      request.body.maxUploadSizeBytes,
    ),
  );

  mount(server, changeMaxEntries, async (request) =>
    users.setLimit(callerOf(request), request.params.userId, 'maxEntries', request.body.maxEntries),
  );
}

/** Either member is enough; both are accepted if they agree. */
function toBanned({ banned, status }: StatusBody): boolean {
  const byStatus = status === undefined ? undefined : status === 'BANNED';
  const isBanned = banned ?? byStatus;
  if (isBanned === undefined || (byStatus ?? isBanned) !== isBanned) {
    throw new Failure('invalid', 'banned must be true or false.');
  }
  return isBanned;
}
