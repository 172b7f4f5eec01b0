import { toTimestamp } from '../base/dates.ts';
import { toPageRequest } from '../base/page.ts';
import { EntryParams, EntryRecord, ImportBody, toImportTarget } from '../drive/contract.ts';
import { toRecord } from '../drive/drive.ts';
import { acceptsHtml } from '../http/accepts-html.ts';
import { actorOf, callerOf } from '../http/caller.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../http/envelope.ts';
import { mapPage, PageOf } from '../http/fields.ts';
import type { Server } from '../http/server.ts';
import { MineQuery, OwnShareLink, PublicShareLink, ShareLink, ShareParams, TokenParams } from './contract.ts';
import type { Share } from './share.ts';
import type { ShareLinks } from './share-links.ts';

const BASE = '/api/files/share-links';
const OWN = '/api/v2/share-links';

/**
 * Legacy share links.
 * @param options.hasPages whether the web client is served: then a browser that opens a link is redirected to
 *   its page
 */
export function shareLinkRoutes(
  server: Server,
  links: ShareLinks,
  { baseUrl, hasPages }: { baseUrl: () => string; hasPages: boolean },
): void {
  const toLink = ({ token, entry, createdAt }: Share): ShareLink => ({
    token,
    url: `${baseUrl()}${BASE}/${token}`,
    filename: entry.name,
    size: entry.size,
    contentType: entry.contentType,
    directory: entry.isDirectory,
    createdAt: toTimestamp(createdAt),
  });

  server.post(
    '/api/files/:fileId/share-links',
    {
      config: { access: 'login', appPassword: 'write' },
      schema: { params: EntryParams, response: enveloped(ShareLink) },
    },
    async (request) =>
      success(toLink(await links.getOrCreate(callerOf(request).accountId, request.params.fileId))),
  );

  server.get(
    `${BASE}/:token`,
    {
      config: { access: 'public', appPassword: 'read' },
      schema: { params: TokenParams, response: enveloped(PublicShareLink) },
    },
    async (request, reply) => {
      if (hasPages) reply.header('vary', 'Accept');
      if (hasPages && acceptsHtml(request)) {
        return reply.redirect(`/l/${encodeURIComponent(request.params.token)}`, 302);
      }
      const { share, fileCount } = await links.view(
        request.params.token,
        request.method === 'HEAD' ? null : request.caller?.accountId,
      );
      const link = { ...toLink(share), ownerUsername: share.ownerUsername };
      return success(fileCount === undefined ? link : { ...link, fileCount });
    },
  );

  server.get(
    `${OWN}/mine`,
    {
      config: { access: 'login', appPassword: 'read' },
      schema: { querystring: MineQuery, response: enveloped(PageOf(OwnShareLink)) },
    },
    async (request) => {
      const page = await links.listByOwner(callerOf(request).accountId, toPageRequest(request.query));
      const toOwnLink = ({ share, file }: (typeof page.items)[number]) => ({
        id: share.id,
        ...toLink(share),
        viewCount: share.viewCount,
        importCount: share.downloadCount,
        file: toRecord(file),
      });
      return success(mapPage(page, toOwnLink));
    },
  );

  server.delete(
    `${OWN}/:id`,
    {
      config: { access: 'login', appPassword: 'write' },
      schema: { params: ShareParams, response: envelopedNothing },
    },
    async (request) => {
      await links.delete(callerOf(request).accountId, request.params.id);
      return NOTHING;
    },
  );

  server.post(
    `${BASE}/:token/import`,
    {
      config: { access: 'login', appPassword: 'write' },
      schema: { params: TokenParams, body: ImportBody, response: enveloped(EntryRecord) },
    },
    async (request) => {
      const target = toImportTarget(request.body);
      return success(toRecord(await links.import(actorOf(request), request.params.token, target)));
    },
  );
}
