import { Type } from 'typebox';
import { Failure } from '../base/failure.ts';
import { DEFAULT_PAGE_SIZE, toPageRequest } from '../base/page.ts';
import { toFileName } from '../base/text/file-name.ts';
import { toLogicalPath } from '../base/text/logical-path.ts';
import { actorOf, callerOf } from '../http/caller.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../http/envelope.ts';
import { mapPage, Nullable, PageOf } from '../http/fields.ts';
import { isMultipart, readForm } from '../http/multipart.ts';
import type { Server } from '../http/server.ts';
import {
  BinRecord,
  EntryDetails,
  EntryParams,
  EntryRecord,
  ListQuery,
  PageQuery,
  PathQuery,
  RecentQuery,
  RenameBody,
  TargetBody,
} from './contract.ts';
import type { Drive } from './drive.ts';
import { toRecord } from './entries/entry.ts';

/**
 * Routes of the directory tree and the recycle bin. `creation/`, `download/` and `search/` have their own
 * routes.
 */
export function driveRoutes(server: Server, drive: Drive): void {
  const config = { access: 'login' } as const;

  server.post(
    '/api/files/mkdir',
    {
      config,
      schema: {
        querystring: PathQuery,
        body: Nullable(PathQuery),
        response: enveloped(EntryRecord),
      },
    },
    async (request) => {
      const form = isMultipart(request) ? await readForm(request) : request.body;
      const path = form?.path ?? request.query.path;
      if (path === undefined) throw new Failure('invalid', 'path is missing.');
      return success(toRecord(await drive.tree.makeDirectory(actorOf(request), toLogicalPath(path))));
    },
  );

  server.get(
    '/api/files/list',
    { config, schema: { querystring: ListQuery, response: enveloped(PageOf(EntryRecord)) } },
    async (request) => {
      const { path = '/', sort, order = 'asc' } = request.query;
      const page = await drive.listing.list(
        callerOf(request).accountId,
        toLogicalPath(path),
        { sort, direction: order },
        toPageRequest(request.query),
      );
      return success(mapPage(page, toRecord));
    },
  );

  server.get(
    '/api/files/recent',
    { config, schema: { querystring: RecentQuery, response: enveloped(Type.Array(EntryRecord)) } },
    async (request) => {
      const { size = DEFAULT_PAGE_SIZE } = request.query;
      const files = await drive.listing.recent(callerOf(request).accountId, size);
      return success(files.map(toRecord));
    },
  );

  server.get(
    '/api/v2/files/:fileId',
    { config, schema: { params: EntryParams, response: enveloped(EntryDetails) } },
    async (request) => {
      const { sha256, metadata, ...placed } = await drive.listing.details(
        callerOf(request).accountId,
        request.params.fileId,
      );
      return success({ ...toRecord(placed), sha256, metadata });
    },
  );

  server.patch(
    '/api/files/:fileId/rename',
    { config, schema: { params: EntryParams, body: RenameBody, response: enveloped(EntryRecord) } },
    async (request) => {
      const name = toFileName(request.body.filename);
      return success(toRecord(await drive.tree.rename(actorOf(request), request.params.fileId, name)));
    },
  );

  server.patch(
    '/api/files/:fileId/move',
    { config, schema: { params: EntryParams, body: TargetBody, response: enveloped(EntryRecord) } },
    async (request) => {
      const path = toLogicalPath(request.body.path);
      return success(toRecord(await drive.tree.move(actorOf(request), request.params.fileId, path)));
    },
  );

  server.post(
    '/api/files/:fileId/copy',
    { config, schema: { params: EntryParams, body: TargetBody, response: enveloped(EntryRecord) } },
    async (request) => {
      const path = toLogicalPath(request.body.path);
      return success(toRecord(await drive.tree.copy(actorOf(request), request.params.fileId, path)));
    },
  );

  server.delete(
    '/api/files/:fileId',
    { config, schema: { params: EntryParams, response: envelopedNothing } },
    async (request) => {
      await drive.bin.recycle(actorOf(request), request.params.fileId);
      return NOTHING;
    },
  );

  server.get(
    '/api/files/recycle-bin',
    { config, schema: { querystring: PageQuery, response: enveloped(PageOf(BinRecord)) } },
    async (request) => {
      const page = await drive.bin.list(callerOf(request).accountId, toPageRequest(request.query));
      return success(mapPage(page, (record) => record));
    },
  );

  server.post(
    '/api/files/recycle-bin/:fileId/restore',
    { config, schema: { params: EntryParams, response: enveloped(EntryRecord) } },
    async (request) => success(toRecord(await drive.bin.restore(actorOf(request), request.params.fileId))),
  );

  server.delete(
    '/api/files/recycle-bin/:fileId',
    { config, schema: { params: EntryParams, response: envelopedNothing } },
    async (request) => {
      await drive.bin.purge(actorOf(request), request.params.fileId);
      return NOTHING;
    },
  );

  server.delete(
    '/api/files/recycle-bin',
    { config, schema: { response: envelopedNothing } },
    async (request) => {
      await drive.bin.purgeAll(actorOf(request));
      return NOTHING;
    },
  );
}
