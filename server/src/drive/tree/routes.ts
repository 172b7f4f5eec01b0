import { Failure } from '../../base/failure.ts';
import { toFileName } from '../../base/text/names/file-name.ts';
import { toLogicalPath } from '../../base/text/names/logical-path.ts';
import { actorOf } from '../../http/caller.ts';
import { enveloped, success } from '../../http/envelope.ts';
import { Nullable } from '../../http/fields.ts';
import { isMultipart, readForm } from '../../http/forms/multipart.ts';
import type { Server } from '../../http/server.ts';
import { EntryParams, EntryRecord, PathQuery, RenameBody, TargetBody, toConflictRule } from '../contract.ts';
import { toRecord } from '../entries/entry.ts';
import type { Tree } from './tree.ts';

export function treeRoutes(server: Server, tree: Tree): void {
  const config = { access: 'login', appPassword: 'write' } as const;

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
      return success(toRecord(await tree.makeDirectory(actorOf(request), toLogicalPath(path))));
    },
  );

  server.patch(
    '/api/files/:fileId/rename',
    { config, schema: { params: EntryParams, body: RenameBody, response: enveloped(EntryRecord) } },
    async (request) => {
      const name = toFileName(request.body.filename);
      const onConflict = toConflictRule(request.body.onConflict);
      return success(toRecord(await tree.rename(actorOf(request), request.params.fileId, name, onConflict)));
    },
  );

  server.patch(
    '/api/files/:fileId/move',
    { config, schema: { params: EntryParams, body: TargetBody, response: enveloped(EntryRecord) } },
    async (request) => {
      const path = toLogicalPath(request.body.path);
      const onConflict = toConflictRule(request.body.onConflict);
      return success(toRecord(await tree.move(actorOf(request), request.params.fileId, path, onConflict)));
    },
  );

  server.post(
    '/api/files/:fileId/copy',
    { config, schema: { params: EntryParams, body: TargetBody, response: enveloped(EntryRecord) } },
    async (request) => {
      const path = toLogicalPath(request.body.path);
      const onConflict = toConflictRule(request.body.onConflict);
      return success(toRecord(await tree.copy(actorOf(request), request.params.fileId, path, onConflict)));
    },
  );
}
