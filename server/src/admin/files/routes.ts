import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { toTextFilter } from '../lists/text-filter.ts';
import {
  deleteFolderLink,
  deleteShare,
  listFiles,
  listFolderLinks,
  listShares,
  recycleFile,
} from './contract.ts';
import type { AdminFiles } from './files.ts';
import type { AdminFolderLinks } from './folder-links.ts';
import { toShareFilter } from './share-filter.ts';
import type { AdminShares } from './shares.ts';

/** Files, shares and folder links of all drives. */
export function adminFileRoutes(
  server: Server,
  { files, shares, links }: { files: AdminFiles; shares: AdminShares; links: AdminFolderLinks },
): void {
  mount(server, listFiles, async ({ query }) => {
    const filter = { query: toTextFilter(query.query), ownerQuery: toTextFilter(query.ownerQuery) };
    return files.list(filter, toPageRequest(query));
  });

  mount(server, recycleFile, async (request) => {
    await files.recycle(callerOf(request), request.params.fileId);
  });

  mount(server, listShares, async ({ query }) => shares.list(toShareFilter(query), toPageRequest(query)));

  mount(server, deleteShare, async (request) => {
    await shares.delete(callerOf(request), request.params.shareId);
  });

  mount(server, listFolderLinks, async ({ query }) => links.list(toShareFilter(query), toPageRequest(query)));

  mount(server, deleteFolderLink, async (request) => {
    await links.delete(callerOf(request), request.params.linkId);
  });
}
