import { toTimestamp } from '../../base/dates.ts';
import { toExpiry } from '../../base/expiry.ts';
import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import type { AppPasswords } from './app-passwords.ts';
import {
  type AppPasswordRecord,
  createAppPassword,
  deleteAppPassword,
  listAppPasswords,
} from './contract.ts';
import type { AppPassword } from './queries.ts';

/** The app passwords of the caller. */
export function appPasswordRoutes(server: Server, appPasswords: AppPasswords): void {
  mount(server, createAppPassword, async (request, reply) => {
    const { name, scope, expiresAt } = request.body;
    const wanted = { name, scope, expiresAt: toExpiry(expiresAt) };
    const { appPassword, password } = await appPasswords.create(callerOf(request), wanted);
    reply.header('cache-control', 'no-store');
    return { ...toRecord(appPassword), password };
  });

  mount(server, listAppPasswords, async (request) => {
    const found = await appPasswords.list(callerOf(request).accountId);
    return found.map(toRecord);
  });

  mount(server, deleteAppPassword, async (request) => {
    await appPasswords.delete(callerOf(request).accountId, request.params.id);
  });
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
