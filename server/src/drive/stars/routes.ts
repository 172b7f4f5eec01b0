import { toPageRequest } from '../../base/page.ts';
import { actorOf, callerOf } from '../../http/caller.ts';
import { clientSignalOf } from '../../http/client-signal.ts';
import { enveloped, success } from '../../http/envelope.ts';
import { mapPage, PageOf } from '../../http/fields.ts';
import type { Server } from '../../http/server.ts';
import { EntryParams, EntryRecord, PageQuery } from '../contract.ts';
import { toRecord } from '../entries/entry.ts';
import type { Stars } from './stars.ts';

export function starRoutes(server: Server, stars: Stars): void {
  const config = { access: 'login', appPassword: 'write' } as const;
  const schema = { params: EntryParams, response: enveloped(EntryRecord) };

  server.get(
    '/api/v2/files/starred',
    {
      config: { ...config, appPassword: 'read' },
      schema: { querystring: PageQuery, response: enveloped(PageOf(EntryRecord)) },
    },
    async (request, reply) => {
      const wanted = toPageRequest(request.query);
      const page = await stars.list(callerOf(request).accountId, wanted, clientSignalOf(reply));
      return success(mapPage(page, toRecord));
    },
  );

  server.put('/api/v2/files/:fileId/star', { config, schema }, async (request) =>
    success(toRecord(await stars.set(actorOf(request), request.params.fileId, true))),
  );

  server.delete('/api/v2/files/:fileId/star', { config, schema }, async (request) =>
    success(toRecord(await stars.set(actorOf(request), request.params.fileId, false))),
  );
}
