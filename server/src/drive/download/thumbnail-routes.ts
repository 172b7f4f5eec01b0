import type { FastifyReply } from 'fastify';
import { callerOf, requesterOf } from '../../http/caller.ts';
import { sendGenerated } from '../../http/download/generated-file.ts';
import type { Server } from '../../http/server.ts';
import { ThumbnailQuery, thumbnailResponses } from '../../thumbnails/contract.ts';
import type { Thumbnails } from '../../thumbnails/thumbnails.ts';
import { EntryParams } from '../contract.ts';
import type { Drive } from '../drive.ts';

export function thumbnailRoutes(server: Server, drive: Drive, thumbnails: Thumbnails): void {
  server.get(
    '/api/v2/files/:fileId/thumbnail',
    {
      config: { access: 'login', appPassword: 'read' },
      schema: { params: EntryParams, querystring: ThumbnailQuery, response: thumbnailResponses },
    },
    async (request, reply) => {
      const picture = await drive.downloads.getPicture(callerOf(request).accountId, request.params.fileId);
      const file = thumbnails.fileOf(picture, request.query, requesterOf(request));
      return sendGenerated(request, reply as unknown as FastifyReply, file);
    },
  );
}
