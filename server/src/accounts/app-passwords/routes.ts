import { Type } from 'typebox';
import { parseTimestamp } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import { Failure } from '../../base/failure.ts';
import { callerOf } from '../../http/caller.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../../http/envelope.ts';
import type { Server } from '../../http/server.ts';
import { AppPasswordBody, AppPasswordParams, AppPasswordRecord, NewAppPassword } from '../contract.ts';
import { type AppPasswords, MAX_APP_PASSWORDS } from './app-passwords.ts';
import type { AppPassword } from './queries.ts';

const BASE = '/api/user/app-passwords';

/** Routes of `/api/user/app-passwords`. A program must not make further credentials, so all need a login. */
export function appPasswordRoutes(server: Server, appPasswords: AppPasswords): void {
  const config = { access: 'login', appPassword: 'never' } as const;

  server.post(
    BASE,
    { config, schema: { body: AppPasswordBody, response: enveloped(NewAppPassword) } },
    async (request, reply) => {
      const { name, scope, expiresAt } = request.body;
      const wanted = { name, scope, expiresAt: expiresAt == null ? null : toInstant(expiresAt) };
      const { appPassword, password } = await appPasswords.create(callerOf(request), wanted);
      reply.header('cache-control', 'no-store');
      return success({ ...toRecord(appPassword), password });
    },
  );

  server.get(
    BASE,
    {
      config,
      schema: { response: enveloped(Type.Array(AppPasswordRecord, { maxItems: MAX_APP_PASSWORDS })) },
    },
    async (request) => {
      const found = await appPasswords.list(callerOf(request).accountId);
      return success(found.map(toRecord));
    },
  );

  server.delete(
    `${BASE}/:id`,
    { config, schema: { params: AppPasswordParams, response: envelopedNothing } },
    async (request) => {
      await appPasswords.delete(callerOf(request).accountId, request.params.id);
      return NOTHING;
    },
  );
}

function toInstant(text: string) {
  const instant = parseTimestamp(text);
  if (instant === undefined) throw new Failure('invalid', 'expiresAt must be an ISO-8601 time.');
  return instant;
}

function toRecord({ id, name, scope, createdAt, expiresAt, lastUsedAt }: AppPassword): AppPasswordRecord {
  return {
    id,
    name,
    scope,
    createdAt: toTimestamp(createdAt),
    expiresAt: expiresAt === null ? null : toTimestamp(expiresAt),
    lastUsedAt: lastUsedAt === null ? null : toTimestamp(lastUsedAt),
  };
}
