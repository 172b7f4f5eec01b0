import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../../http/envelope.ts';
import { mapPage, PageOf } from '../../http/fields.ts';
import type { Server } from '../../http/server.ts';
import { AdminFile, AdminShare, FileParams, FilesQuery, ShareParams, SharesQuery } from '../contract.ts';
import { toTextFilter } from '../lists/text-filter.ts';
import type { AdminFiles } from './files.ts';
import { toShareFilter } from './share-filter.ts';
import type { AdminShares } from './shares.ts';

/** Files and shares of all accounts. */
export function adminFileRoutes(server: Server, files: AdminFiles, shares: AdminShares): void {
  const config = { access: 'admin', appPassword: 'never' } as const;

  server.get(
    '/api/admin/files',
    { config, schema: { querystring: FilesQuery, response: enveloped(PageOf(AdminFile)) } },
    async ({ query }) => {
      const filter = { query: toTextFilter(query.query), ownerQuery: toTextFilter(query.ownerQuery) };
      return success(mapPage(await files.list(filter, toPageRequest(query)), (file) => file));
    },
  );

  server.delete(
    '/api/admin/files/:fileId',
    { config, schema: { params: FileParams, response: envelopedNothing } },
    async (request) => {
      await files.recycle(callerOf(request), request.params.fileId);
      return NOTHING;
    },
  );

  server.get(
    '/api/admin/shares',
    { config, schema: { querystring: SharesQuery, response: enveloped(PageOf(AdminShare)) } },
    async ({ query }) => {
      const page = await shares.list(toShareFilter(query), toPageRequest(query));
      return success(mapPage(page, (share) => share));
    },
  );

  server.delete(
    '/api/admin/shares/:shareId',
    { config, schema: { params: ShareParams, response: envelopedNothing } },
    async (request) => {
      await shares.delete(callerOf(request), request.params.shareId);
      return NOTHING;
    },
  );
}
