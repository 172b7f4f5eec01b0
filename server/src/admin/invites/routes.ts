import { acceptedLanguageOf } from '../../accounts/accounts.ts';
import { toExpiry } from '../../base/expiry.ts';
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
    const { note = null, uses, expiresAt, email = null } = request.body;
    const acceptedLanguage = acceptedLanguageOf(request);
    const wanted = { note, maxUses: uses, expiresAt: toExpiry(expiresAt), email, acceptedLanguage };
    return invites.create(callerOf(request), wanted);
  });

  mount(server, deleteInvite, async (request) => {
    await invites.delete(callerOf(request), request.params.id);
  });
}
