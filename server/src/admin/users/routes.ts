import { Failure } from '../../base/failure.ts';
import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../../http/envelope.ts';
import { PageOf } from '../../http/fields.ts';
import type { Server } from '../../http/server.ts';
import {
  AdminUser,
  DeleteUserBody,
  MaxEntriesBody,
  NewAdminUser,
  NewPasswordBody,
  NewUserBody,
  QuotaBody,
  RoleBody,
  StatusBody,
  TemporaryPassword,
  UploadLimitBody,
  UserIdentityParams,
  UserParams,
  UsersQuery,
} from '../contract.ts';
import { toTextFilter } from '../lists/text-filter.ts';
import type { AdminUsers } from './users.ts';

const BASE = '/api/admin/users';
const config = { access: 'admin', appPassword: 'never' } as const;
const user = enveloped(AdminUser);

export function adminUserRoutes(server: Server, users: AdminUsers): void {
  accountRoutes(server, users);
  credentialRoutes(server, users);
  limitRoutes(server, users);
}

/** Users, with their role and status. */
function accountRoutes(server: Server, users: AdminUsers): void {
  server.get(
    BASE,
    { config, schema: { querystring: UsersQuery, response: enveloped(PageOf(AdminUser)) } },
    async ({ query }) => {
      const filter = { query: toTextFilter(query.query), role: query.role };
      const { items, ...page } = await users.list(filter, toPageRequest(query));
      return success({ ...page, items: [...items] });
    },
  );

  server.post(
    BASE,
    { config, schema: { body: NewUserBody, response: enveloped(NewAdminUser) } },
    async (request, reply) => {
      const created = await users.create(callerOf(request), request.body);
      reply.header('cache-control', 'no-store');
      return success(created);
    },
  );

  server.delete(
    `${BASE}/:userId`,
    { config, schema: { params: UserParams, body: DeleteUserBody, response: envelopedNothing } },
    async (request) => {
      await users.delete(callerOf(request), request.params.userId, request.body.username);
      return NOTHING;
    },
  );

  server.patch(
    `${BASE}/:userId/role`,
    { config, schema: { params: UserParams, body: RoleBody, response: user } },
    async (request) =>
      success(await users.setRole(callerOf(request), request.params.userId, request.body.role)),
  );

  server.patch(
    `${BASE}/:userId/status`,
    { config, schema: { params: UserParams, body: StatusBody, response: user } },
    async (request) =>
      success(await users.setBanned(callerOf(request), request.params.userId, toBanned(request.body))),
  );
}

/** What users log in with. */
function credentialRoutes(server: Server, users: AdminUsers): void {
  server.put(
    `${BASE}/:userId/password`,
    { config, schema: { params: UserParams, body: NewPasswordBody, response: user } },
    async (request) =>
      success(await users.setPassword(callerOf(request), request.params.userId, request.body.newPassword)),
  );

  server.post(
    `${BASE}/:userId/password/reset`,
    { config, schema: { params: UserParams, response: enveloped(TemporaryPassword) } },
    async (request) => {
      const temporaryPassword = await users.resetPassword(callerOf(request), request.params.userId);
      return success({ temporaryPassword });
    },
  );

  server.delete(
    `${BASE}/:userId/second-factors`,
    { config, schema: { params: UserParams, response: envelopedNothing } },
    async (request) => {
      await users.resetSecondFactors(callerOf(request), request.params.userId);
      return NOTHING;
    },
  );

  server.delete(
    `${BASE}/:userId/identities/:identityId`,
    { config, schema: { params: UserIdentityParams, response: envelopedNothing } },
    async (request) => {
      const { userId, identityId } = request.params;
      await users.deleteIdentity(callerOf(request), userId, identityId);
      return NOTHING;
    },
  );
}

/** The limits of users. */
function limitRoutes(server: Server, users: AdminUsers): void {
  server.patch(
    `${BASE}/:userId/storage-quota`,
    { config, schema: { params: UserParams, body: QuotaBody, response: user } },
    async (request) =>
      success(await users.setQuota(callerOf(request), request.params.userId, request.body.storageQuotaBytes)),
  );

  server.patch(
    `${BASE}/:userId/max-upload-size`,
    { config, schema: { params: UserParams, body: UploadLimitBody, response: user } },
    async (request) => {
      const { maxUploadSizeBytes } = request.body;
      return success(
        await users.setUploadLimit(callerOf(request), request.params.userId, maxUploadSizeBytes),
      );
    },
  );

  server.patch(
    `${BASE}/:userId/max-entries`,
    { config, schema: { params: UserParams, body: MaxEntriesBody, response: user } },
    async (request) =>
      success(await users.setMaxEntries(callerOf(request), request.params.userId, request.body.maxEntries)),
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
