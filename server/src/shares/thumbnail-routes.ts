import type { FastifyReply } from 'fastify';
import type { Clock } from '../base/clock.ts';
import { requesterOf } from '../http/caller.ts';
import { sendGenerated } from '../http/download/generated-file.ts';
import type { Server } from '../http/server.ts';
import { type LinkCookie, passwordRequired } from '../links/links.ts';
import { ThumbnailQuery, thumbnailResponses } from '../thumbnails/contract.ts';
import type { Thumbnails } from '../thumbnails/thumbnails.ts';
import { TokenParams } from './contract.ts';
import { checkUsable } from './share.ts';
import type { Shares } from './shares.ts';

/**
 * The thumbnail of a shared file. It spends no download, and is there for shares that allow none, as their
 * page shows what is shared.
 */
export function sharedThumbnailRoutes(
  server: Server,
  parts: { shares: Shares; thumbnails: Thumbnails; passwordCookie: LinkCookie; clock: Clock },
): void {
  const { shares, thumbnails, passwordCookie, clock } = parts;

  server.get(
    '/api/v2/shares/:token/thumbnail',
    {
      config: { access: 'public', appPassword: 'read' },
      schema: { params: TokenParams, querystring: ThumbnailQuery, response: thumbnailResponses },
    },
    async (request, reply) => {
      const share = await shares.get(request.params.token);
      const isOwner = request.caller?.accountId === share.ownerId;
      const isVerified =
        share.passwordHash === null || passwordCookie.isValid(request.headers.cookie, share, clock.now());
      // An image element sends a cookie, but no password.
      if (!isOwner && !isVerified) throw passwordRequired();
      checkUsable(share, clock.now());
      const picture = { ...share.entry, location: share.location };
      const file = thumbnails.fileOf(picture, request.query, requesterOf(request));
      return sendGenerated(request, reply as unknown as FastifyReply, file);
    },
  );
}
