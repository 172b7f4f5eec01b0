import type { FastifyRequest } from 'fastify';
import { toTimestamp } from '../../base/dates.ts';
import { Failure } from '../../base/failure.ts';
import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import type { Origin } from '../sessions/login-sessions.ts';
import {
  createPasskey,
  deletePasskey,
  listPasskeys,
  logInWithPasskey,
  type PasskeyRecord,
  startPasskey,
  startPasskeyLogin,
} from './contract.ts';
import type { PasskeyLogin } from './passkey-login.ts';
import type { Passkeys } from './passkeys.ts';
import type { Passkey } from './queries.ts';
import type { RelyingParty } from './relying-party.ts';

/** Routes for logging in with passkeys, and for the caller's own passkeys. */
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

  mount(server, startPasskeyLogin, async (_request, reply) => {
    const options = await passkeyLogin.start(getRelyingParty(findRelyingParty));
    reply.header('cache-control', 'no-store');
    return options;
  });

  mount(server, logInWithPasskey, async (request) => {
    const party = getRelyingParty(findRelyingParty);
    return passkeyLogin.logIn(party, request.body.credential, originOf(request));
  });
}

function ownPasskeyRoutes(
  server: Server,
  { passkeys, findRelyingParty }: { passkeys: Passkeys; findRelyingParty: () => RelyingParty | undefined },
): void {
  mount(server, startPasskey, async (request, reply) => {
    const proof = { password: request.body?.password, address: request.ip };
    const options = await passkeys.start(callerOf(request), getRelyingParty(findRelyingParty), proof);
    reply.header('cache-control', 'no-store');
    return options;
  });

  mount(server, createPasskey, async (request) => {
    const { name, credential } = request.body;
    const party = getRelyingParty(findRelyingParty);
    return toRecord(await passkeys.create(callerOf(request), party, name, credential));
  });

  mount(server, listPasskeys, async (request) => {
    const found = await passkeys.list(callerOf(request).accountId);
    return found.map(toRecord);
  });

  mount(server, deletePasskey, async (request) => {
    const proof = { password: request.body?.password, address: request.ip };
    await passkeys.delete(callerOf(request), request.params.id, proof);
  });
}

/** @throws Failure `not-found` if browsers cannot use passkeys at this address */
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
