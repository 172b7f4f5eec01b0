import type { FastifyReply } from 'fastify';
import { Failure } from '../base/failure.ts';
import { toPageRequest } from '../base/page.ts';
import { type FileName, toFileName } from '../base/text/names/file-name.ts';
import { toLogicalPath } from '../base/text/names/logical-path.ts';
import { EntryParams, toConflictRule } from '../drive/contract.ts';
import { callerOf } from '../http/caller.ts';
import { clientSignalOf } from '../http/client-signal.ts';
import { enveloped, success } from '../http/envelope.ts';
import { mapPage, PageOf } from '../http/fields.ts';
import type { Server } from '../http/server.ts';
import {
  ArchiveBody,
  ArchiveContents,
  ArchiveQuery,
  CreateBody,
  ExtractBody,
  ListQuery,
  TaskParams,
  TaskRecord,
  toCorrelationId,
} from './contract.ts';
import { toTaskRecord } from './task-record.ts';
import type { Tasks } from './tasks.ts';

const BASE = '/api/v2/tasks';

const DEFAULT_ARCHIVE_NAME = 'Archive.zip';

const TASK_TYPES = [
  ['extract', 'EXTRACT', ExtractBody],
  ['media-metadata', 'MEDIA_META', CreateBody],
] as const;

/** The background tasks of the caller. */
export function taskRoutes(server: Server, tasks: Tasks): void {
  const reading = { access: 'login', appPassword: 'read' } as const;
  const writing = { access: 'login', appPassword: 'write' } as const;

  server.get(
    BASE,
    { config: reading, schema: { querystring: ListQuery, response: enveloped(PageOf(TaskRecord)) } },
    async (request) => {
      const page = await tasks.list(callerOf(request).accountId, toPageRequest(request.query));
      return success(mapPage(page, toTaskRecord));
    },
  );

  server.get(
    `${BASE}/:id`,
    { config: reading, schema: { params: TaskParams, response: enveloped(TaskRecord) } },
    async (request) => success(toTaskRecord(await tasks.get(callerOf(request).accountId, request.params.id))),
  );

  server.delete(
    `${BASE}/:id`,
    { config: writing, schema: { params: TaskParams, response: enveloped(TaskRecord) } },
    async (request) =>
      success(toTaskRecord(await tasks.cancel(callerOf(request).accountId, request.params.id))),
  );

  server.post(
    `${BASE}/:id/retry`,
    { config: writing, schema: { params: TaskParams, response: enveloped(TaskRecord) } },
    async (request) =>
      success(toTaskRecord(await tasks.retry(callerOf(request).accountId, request.params.id))),
  );

  server.post(
    `${BASE}/archive`,
    { config: writing, schema: { body: ArchiveBody, response: enveloped(TaskRecord) } },
    async (request) => {
      const { accountId } = callerOf(request);
      const { fileId, fileIds, name } = request.body;
      const path = toLogicalPath(request.body.path);
      const correlationId = toCorrelationId(request.body.correlationId);
      if ((fileId === undefined) === (fileIds === undefined)) {
        throw new Failure('invalid', 'Either fileId or fileIds is necessary.');
      }
      const task =
        fileIds === undefined
          ? tasks.create(accountId, {
              type: 'ARCHIVE',
              entryId: fileId as number,
              path,
              correlationId,
              onConflict: 'FAIL',
            })
          : tasks.createArchive(accountId, {
              entryIds: fileIds,
              directoryPath: path,
              name: toZipName(name ?? DEFAULT_ARCHIVE_NAME),
              correlationId,
            });
      return success(toTaskRecord(await task));
    },
  );

  server.get(
    '/api/v2/files/:fileId/archive',
    {
      config: reading,
      schema: { params: EntryParams, querystring: ArchiveQuery, response: enveloped(ArchiveContents) },
    },
    async (request, reply) => {
      const { encoding } = request.query;
      const options = { encoding, signal: clientSignalOf(reply as unknown as FastifyReply) };
      return success(await tasks.archives.list(callerOf(request).accountId, request.params.fileId, options));
    },
  );

  for (const [segment, type, body] of TASK_TYPES) {
    server.post(
      `${BASE}/${segment}`,
      { config: writing, schema: { body, response: enveloped(TaskRecord) } },
      async (request) => {
        const {
          fileId: entryId,
          path,
          correlationId,
          onConflict,
          folder,
          encoding,
        } = request.body as ExtractBody;
        const taskRequest = {
          type,
          entryId,
          path: toLogicalPath(path),
          correlationId: toCorrelationId(correlationId),
          onConflict: toConflictRule(onConflict),
          folder: typeof folder === 'string' ? toFileName(folder) : undefined,
          encoding: encoding ?? undefined,
        };
        return success(toTaskRecord(await tasks.create(callerOf(request).accountId, taskRequest)));
      },
    );
  }
}

function toZipName(name: string): FileName {
  return toFileName(/\.zip$/i.test(name) ? name : `${name}.zip`);
}
