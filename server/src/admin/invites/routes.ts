import { parseTimestamp } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { createInvite, deleteInvite, listInvites } from './contract.ts';
import type { AdminInvites } from './invites.ts';

/** Invite codes other than the one in the settings. */
export function adminInviteRoutes(server: Server, invites: AdminInvites): void {
  mount(server, listInvites, async ({ query }) => invites.list(toPageRequest(query)));

  mount(server, createInvite, async (request) => {
    const { note = null, uses, expiresAt } = request.body;
    const wanted = { note, maxUses: uses, expiresAt: expiresAt == null ? null : toInstant(expiresAt) };
    return invites.create(callerOf(request), wanted);
  });

  mount(server, deleteInvite, async (request) => {
    await invites.delete(callerOf(request), request.params.id);
  });
}

function toInstant(text: string): number {
  const instant = parseTimestamp(text);
  if (instant === undefined) throw new Failure('invalid', 'expiresAt must be an ISO-8601 time.');
  return instant;
}
