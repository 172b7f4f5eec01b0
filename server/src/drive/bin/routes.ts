import { toPageRequest } from '../../base/page.ts';
import { actorOf, callerOf } from '../../http/caller.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../../http/envelope.ts';
import { mapPage, PageOf } from '../../http/fields.ts';
import type { Server } from '../../http/server.ts';
import {
  BinRecord,
  EntryParams,
  EntryRecord,
  PageQuery,
  RecycleQuery,
  RestoreBody,
  toConflictRule,
} from '../contract.ts';
import { toRecord } from '../entries/entry.ts';
import type { RecycleBin } from './recycle-bin.ts';

export function recycleBinRoutes(server: Server, bin: RecycleBin): void {
  const config = { access: 'login', appPassword: 'write' } as const;

  server.delete(
    '/api/files/:fileId',
    { config, schema: { params: EntryParams, querystring: RecycleQuery, response: envelopedNothing } },
    async (request) => {
      await bin.recycle(actorOf(request), request.params.fileId, { cursor: request.query.cursor });
      return NOTHING;
    },
  );

  server.get(
    '/api/files/recycle-bin',
    {
      config: { ...config, appPassword: 'read' },
      schema: { querystring: PageQuery, response: enveloped(PageOf(BinRecord)) },
    },
    async (request) => {
      const page = await bin.list(callerOf(request).accountId, toPageRequest(request.query));
      return success(mapPage(page, (record) => record));
    },
  );

  server.post(
    '/api/files/recycle-bin/:fileId/restore',
    { config, schema: { params: EntryParams, body: RestoreBody, response: enveloped(EntryRecord) } },
    async (request) => {
      const onConflict = toConflictRule(request.body?.onConflict);
      return success(toRecord(await bin.restore(actorOf(request), request.params.fileId, onConflict)));
    },
  );

  server.delete(
    '/api/files/recycle-bin/:fileId',
    { config, schema: { params: EntryParams, response: envelopedNothing } },
    async (request) => {
      await bin.purge(actorOf(request), request.params.fileId);
      return NOTHING;
    },
  );

  server.delete(
    '/api/files/recycle-bin',
    { config, schema: { response: envelopedNothing } },
    async (request) => {
      await bin.purgeAll(actorOf(request));
      return NOTHING;
    },
  );
}
