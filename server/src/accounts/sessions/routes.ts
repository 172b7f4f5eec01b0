import { Type } from 'typebox';
import { toTimestamp } from '../../base/dates.ts';
import { callerOf } from '../../http/caller.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../../http/envelope.ts';
import type { Server } from '../../http/server.ts';
import { LoginSessionParams, LoginSessionRecord } from '../contract.ts';
import type { Login } from './login.ts';
import { type LoginSessions, MAX_SESSIONS } from './login-sessions.ts';
import type { ListedSession } from './queries.ts';

const BASE = '/api/user/sessions';

/** Routes of `/api/user/sessions`: where the account is logged in. */
export function loginSessionRoutes(
  server: Server,
  { login, sessions }: { login: Login; sessions: LoginSessions },
): void {
  const config = { access: 'login', appPassword: 'never' } as const;

  server.get(
    BASE,
    { config, schema: { response: enveloped(Type.Array(LoginSessionRecord, { maxItems: MAX_SESSIONS })) } },
    async (request) => {
      const { accountId, sessionId } = callerOf(request);
      const found = await sessions.list(accountId);
      return success(found.map((session) => toRecord(session, sessionId)));
    },
  );

  server.delete(
    `${BASE}/:id`,
    { config, schema: { params: LoginSessionParams, response: envelopedNothing } },
    async (request) => {
      await login.endSession(callerOf(request), request.params.id);
      return NOTHING;
    },
  );
}

function toRecord(session: ListedSession, currentId: string): LoginSessionRecord {
  const { id, client, device, address, userAgent, createdAt, lastUsedAt, isPresent } = session;
  return {
    id,
    client,
    device,
    address,
    userAgent,
    createdAt: toTimestamp(createdAt),
    lastUsedAt: toTimestamp(lastUsedAt),
    current: id === currentId,
    here: isPresent,
  };
}
