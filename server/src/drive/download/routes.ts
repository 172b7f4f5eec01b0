import { type Static, Type } from 'typebox';
import { toFileName } from '../../base/text/names/file-name.ts';
import { callerOf } from '../../http/caller.ts';
import { downloadClientOf } from '../../http/download/download-client.ts';
import { downloadResponses } from '../../http/download/download-responses.ts';
import { sendStream } from '../../http/download/file-download.ts';
import { senderOf } from '../../http/download/file-sender.ts';
import { enveloped, success } from '../../http/envelope.ts';
import { KeyText, NameText } from '../../http/fields.ts';
import type { Server } from '../../http/server.ts';
import { EntryParams, SignedUrl, ZipDownloadBody, ZipTicketQuery } from '../contract.ts';
import type { Drive } from '../drive.ts';

const SignedQuery = Type.Object({
  md5: Type.Optional(KeyText),
  expires: Type.Optional(KeyText),
  signature: Type.Optional(KeyText),
  filename: Type.Optional(NameText),
});

const ZIP_DOWNLOADS = '/api/v2/downloads';

/** @param accelRedirect the location at which a front proxy serves the objects, if there is such a proxy */
export function downloadRoutes(
  server: Server,
  drive: Drive,
  settings: { baseUrl: () => string; accelRedirect: string | undefined },
): void {
  const config = { access: 'login', appPassword: 'read' } as const;
  const send = senderOf(settings.accelRedirect);

  server.get(
    '/api/files/download/:fileId',
    { config, schema: { params: EntryParams, response: downloadResponses } },
    async (request, reply) => {
      const { accountId } = callerOf(request);
      const download = await drive.downloads.open(
        accountId,
        request.params.fileId,
        downloadClientOf(request, reply),
      );
      return download.kind === 'file'
        ? send(request, reply, download.file)
        : sendStream(request, reply, download.zip);
    },
  );

  server.get(
    '/api/files/download/:fileId/url',
    { config, schema: { params: EntryParams, response: enveloped(SignedUrl) } },
    async (request) => {
      const { accountId } = callerOf(request);
      return success(await drive.downloads.signUrl(accountId, request.params.fileId, settings.baseUrl()));
    },
  );

  server.post(
    ZIP_DOWNLOADS,
    { config, schema: { body: ZipDownloadBody, response: enveloped(SignedUrl) } },
    async (request) => {
      const { fileIds, name } = request.body;
      const { accountId: ownerId, sessionId } = callerOf(request);
      const zipName = name === undefined || name === null ? undefined : toFileName(name);
      const holder = { ownerId, sessionId };
      const { token, expiresAt } = await drive.zipTickets.create(holder, fileIds, zipName);
      return success({ url: `${settings.baseUrl()}${ZIP_DOWNLOADS}?ticket=${token}`, expiresAt });
    },
  );

  // The ticket is in the query, because access logs do not contain queries.
  server.get(
    ZIP_DOWNLOADS,
    {
      config: { access: 'public', appPassword: 'read' },
      schema: { querystring: ZipTicketQuery, response: downloadResponses },
    },
    async (request, reply) => {
      const zip = await drive.zipTickets.open(request.query.ticket, downloadClientOf(request, reply));
      return sendStream(request, reply, zip);
    },
  );

  // Serves signed URLs where no front proxy does. The signature covers the path as the client sent it.
  server.get<{ Querystring: Static<typeof SignedQuery> }>(
    '/_dl/*',
    { config: { access: 'public', appPassword: 'read' }, schema: { querystring: SignedQuery, hide: true } },
    async (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '';
      return send(request, reply, await drive.downloads.openSigned(path, request.query));
    },
  );
}
