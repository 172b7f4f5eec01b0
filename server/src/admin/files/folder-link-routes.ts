import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../../http/envelope.ts';
import { mapPage, PageOf } from '../../http/fields.ts';
import type { Server } from '../../http/server.ts';
import { AdminFolderLink, FolderLinkParams, SharesQuery } from '../contract.ts';
import type { AdminFolderLinks } from './folder-links.ts';
import { toShareFilter } from './share-filter.ts';

/** The folder links of all accounts. */
export function adminFolderLinkRoutes(server: Server, links: AdminFolderLinks): void {
  const config = { access: 'admin', appPassword: 'never' } as const;

  server.get(
    '/api/admin/folder-links',
    { config, schema: { querystring: SharesQuery, response: enveloped(PageOf(AdminFolderLink)) } },
    async ({ query }) => {
      const page = await links.list(toShareFilter(query), toPageRequest(query));
      return success(mapPage(page, (link) => link));
    },
  );

  server.delete(
    '/api/admin/folder-links/:linkId',
    { config, schema: { params: FolderLinkParams, response: envelopedNothing } },
    async (request) => {
      await links.delete(callerOf(request), request.params.linkId);
      return NOTHING;
    },
  );
}
