import { parseTimestamp } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../../http/envelope.ts';
import { mapPage, PageOf } from '../../http/fields.ts';
import type { Server } from '../../http/server.ts';
import { AdminInvite, InviteBody, InviteParams, InvitesQuery } from '../contract.ts';
import type { AdminInvites } from './invites.ts';

const BASE = '/api/admin/invites';

/** Invite codes beside the one of the settings. */
export function adminInviteRoutes(server: Server, invites: AdminInvites): void {
  const config = { access: 'admin', appPassword: 'never' } as const;

  server.get(
    BASE,
    { config, schema: { querystring: InvitesQuery, response: enveloped(PageOf(AdminInvite)) } },
    async ({ query }) => success(mapPage(await invites.list(toPageRequest(query)), (invite) => invite)),
  );

  server.post(
    BASE,
    { config, schema: { body: InviteBody, response: enveloped(AdminInvite) } },
    async (request) => {
      const { note = null, uses, expiresAt } = request.body;
      const wanted = { note, maxUses: uses, expiresAt: expiresAt == null ? null : toInstant(expiresAt) };
      return success(await invites.create(callerOf(request), wanted));
    },
  );

  server.delete(
    `${BASE}/:id`,
    { config, schema: { params: InviteParams, response: envelopedNothing } },
    async (request) => {
      await invites.delete(callerOf(request), request.params.id);
      return NOTHING;
    },
  );
}

function toInstant(text: string): number {
  const instant = parseTimestamp(text);
  if (instant === undefined) throw new Failure('invalid', 'expiresAt must be an ISO-8601 time.');
  return instant;
}
