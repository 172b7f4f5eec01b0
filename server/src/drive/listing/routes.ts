import { Type } from 'typebox';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, toPageRequest } from '../../base/page.ts';
import { toLogicalPath } from '../../base/text/names/logical-path.ts';
import { callerOf } from '../../http/caller.ts';
import { clientSignalOf } from '../../http/client-signal.ts';
import { enveloped, success } from '../../http/envelope.ts';
import { mapPage, PageOf } from '../../http/fields.ts';
import type { Server } from '../../http/server.ts';
import { EntryDetails, EntryParams, EntryRecord, ListQuery, RecentQuery, RecentRecord } from '../contract.ts';
import { toRecord } from '../entries/entry.ts';
import type { Listing } from './listing.ts';

export function listingRoutes(server: Server, listing: Listing): void {
  const config = { access: 'login', appPassword: 'read' } as const;

  server.get(
    '/api/files/list',
    { config, schema: { querystring: ListQuery, response: enveloped(PageOf(EntryRecord)) } },
    async (request, reply) => {
      const { path = '/', sort, order = 'asc' } = request.query;
      const page = await listing.list(
        callerOf(request).accountId,
        toLogicalPath(path),
        { sort, direction: order },
        toPageRequest(request.query),
        clientSignalOf(reply),
      );
      return success(mapPage(page, toRecord));
    },
  );

  server.get(
    '/api/files/recent',
    {
      config,
      schema: {
        querystring: RecentQuery,
        response: enveloped(Type.Array(RecentRecord, { maxItems: MAX_PAGE_SIZE })),
      },
    },
    async (request) => {
      const { size = DEFAULT_PAGE_SIZE } = request.query;
      const files = await listing.recent(callerOf(request).accountId, size);
      return success(files.map(({ receivedThrough, ...file }) => ({ ...toRecord(file), receivedThrough })));
    },
  );

  server.get(
    '/api/v2/files/:fileId',
    { config, schema: { params: EntryParams, response: enveloped(EntryDetails) } },
    async (request, reply) => {
      const { sha256, metadata, ...entryWithPath } = await listing.details(
        callerOf(request).accountId,
        request.params.fileId,
      );
      const { entry } = entryWithPath;
      const totals = entry.isDirectory ? await listing.findTotals(entry.id, clientSignalOf(reply)) : {};
      return success({ ...toRecord(entryWithPath), sha256, metadata, ...totals });
    },
  );
}
