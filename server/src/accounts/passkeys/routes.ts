import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { toTimestamp } from '../../base/dates.ts';
import { Failure } from '../../base/failure.ts';
import { callerOf } from '../../http/caller.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../../http/envelope.ts';
import type { Server } from '../../http/server.ts';
import { DeviceHeaders, LoginState, OwnerBody } from '../contract.ts';
import type { Origin } from '../sessions/login-sessions.ts';
import {
  CreationOptions,
  MAX_PASSKEYS,
  NewPasskeyBody,
  PasskeyLoginBody,
  PasskeyParams,
  PasskeyRecord,
  RequestOptions,
} from './contract.ts';
import type { PasskeyLogin } from './passkey-login.ts';
import type { Passkeys } from './passkeys.ts';
import type { Passkey } from './queries.ts';
import type { RelyingParty } from './relying-party.ts';

const BASE = '/api/user/passkeys';

/** Routes of `/api/user/passkeys` and `/api/auth/passkey`. */
export function passkeyRoutes(
  server: Server,
  parts: {
    passkeys: Passkeys;
    passkeyLogin: PasskeyLogin;
    findRelyingParty: () => RelyingParty | undefined;
    originOf: (request: FastifyRequest) => Origin;
  },
): void {
  ownPasskeyRoutes(server, parts);
  const { passkeyLogin, findRelyingParty, originOf } = parts;
  const config = { access: 'public', appPassword: 'never' } as const;

  server.post(
    '/api/auth/passkey/options',
    { config, schema: { response: enveloped(RequestOptions) } },
    async (_request, reply) => {
      const options = await passkeyLogin.start(getRelyingParty(findRelyingParty));
      reply.header('cache-control', 'no-store');
      return success(options);
    },
  );

  server.post(
    '/api/auth/passkey',
    { config, schema: { headers: DeviceHeaders, body: PasskeyLoginBody, response: enveloped(LoginState) } },
    async (request) => {
      const party = getRelyingParty(findRelyingParty);
      return success(await passkeyLogin.logIn(party, request.body.credential, originOf(request)));
    },
  );
}

function ownPasskeyRoutes(
  server: Server,
  { passkeys, findRelyingParty }: { passkeys: Passkeys; findRelyingParty: () => RelyingParty | undefined },
): void {
  const config = { access: 'login', appPassword: 'never', beforeSecondFactor: true } as const;

  server.post(
    `${BASE}/options`,
    { config, schema: { body: OwnerBody, response: enveloped(CreationOptions) } },
    async (request, reply) => {
      const proof = { password: request.body?.password, address: request.ip };
      const options = await passkeys.start(callerOf(request), getRelyingParty(findRelyingParty), proof);
      reply.header('cache-control', 'no-store');
      return success(options);
    },
  );

  server.post(
    BASE,
    { config, schema: { body: NewPasskeyBody, response: enveloped(PasskeyRecord) } },
    async (request) => {
      const { name, credential } = request.body;
      const party = getRelyingParty(findRelyingParty);
      return success(toRecord(await passkeys.create(callerOf(request), party, name, credential)));
    },
  );

  server.get(
    BASE,
    { config, schema: { response: enveloped(Type.Array(PasskeyRecord, { maxItems: MAX_PASSKEYS })) } },
    async (request) => {
      const found = await passkeys.list(callerOf(request).accountId);
      return success(found.map(toRecord));
    },
  );

  server.delete(
    `${BASE}/:id`,
    { config, schema: { params: PasskeyParams, body: OwnerBody, response: envelopedNothing } },
    async (request) => {
      const proof = { password: request.body?.password, address: request.ip };
      await passkeys.delete(callerOf(request), request.params.id, proof);
      return NOTHING;
    },
  );
}

/** @throws Failure `not-found` where browsers have no passkeys */
function getRelyingParty(findRelyingParty: () => RelyingParty | undefined): RelyingParty {
  const party = findRelyingParty();
  if (party === undefined)
    throw new Failure('not-found', 'There are no passkeys at the address of this service.');
  return party;
}

function toRecord({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyRecord {
  return {
    id,
    name,
    createdAt: toTimestamp(createdAt),
    lastUsedAt: lastUsedAt === null ? null : toTimestamp(lastUsedAt),
  };
}
