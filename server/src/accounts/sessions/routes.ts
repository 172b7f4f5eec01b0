import { toTimestamp } from '../../base/dates.ts';
import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import {
  endLoginSession,
  endOtherLoginSessions,
  type LoginSessionRecord,
  listLoginSessions,
} from './contract.ts';
import type { Login } from './login.ts';
import type { LoginSessions } from './login-sessions.ts';
import type { ListedSession } from './queries.ts';

/** Where the account is logged in. */
export function loginSessionRoutes(
  server: Server,
  { login, sessions }: { login: Login; sessions: LoginSessions },
): void {
  mount(server, listLoginSessions, async (request) => {
    const { accountId, sessionId } = callerOf(request);
    const found = await sessions.list(accountId);
    return found.map((session) => toRecord(session, sessionId));
  });

  mount(server, endOtherLoginSessions, async (request) => ({
    ended: await login.endOtherSessions(callerOf(request)),
  }));

  mount(server, endLoginSession, async (request) => {
    await login.endSession(callerOf(request), request.params.id);
  });
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
