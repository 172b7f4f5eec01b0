import type { FastifyRequest } from 'fastify';
import { EntryRecord } from '../drive/contract.ts';
import { toNewFile, toRecord } from '../drive/drive.ts';
import { actorOf, callerOf } from '../http/caller.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../http/envelope.ts';
import { UploadTarget } from '../http/fields.ts';
import { checkContentLength } from '../http/forms/multipart.ts';
import { leaveBodiesRaw, readRawBody } from '../http/parsing/bodies.ts';
import type { Server } from '../http/server.ts';
import { CompleteBody, ContentQuery, CreateBody } from './contract.ts';
import { noSuchUpload } from './upload-session.ts';
import type { Uploads } from './uploads.ts';

const CONTENT_PATH = '/api/files/upload/content';

/**
 * The legacy API for uploads in steps, on top of upload sessions: `initiate` returns an opaque key and a URL
 * for the bytes, and `complete` creates the file. A key works once, for the account that requested it.
 */
export function legacyUploadRoutes(server: Server, uploads: Uploads, baseUrl: () => string): void {
  const config = { access: 'login', appPassword: 'write' } as const;
  const { sessions, direct, proxyContent, completion } = uploads;
  const driveOf = (request: FastifyRequest) => uploads.toOwnDrive(actorOf(request));

  server.post(
    '/api/files/upload/initiate',
    { config, schema: { body: CreateBody, response: enveloped(UploadTarget) } },
    async (request) => {
      const file = toNewFile(request.body);
      const announcement = { kind: 'LEGACY', file, size: request.body.size } as const;
      const session = await sessions.create(driveOf(request), announcement);
      const storageName = session.objectKey;
      if (session.mode === 'DIRECT_SINGLE') {
        const { url, method, headers } = await direct.prepare(session);
        return success({ direct: true, uploadUrl: url, method, headers: { ...headers }, storageName });
      }
      return success({
        direct: false,
        uploadUrl: `${baseUrl()}${CONTENT_PATH}?${new URLSearchParams({ storageName })}`,
        method: 'PUT',
        headers: { 'Content-Type': file.contentType },
        storageName,
      });
    },
  );

  server.register(async (scope: Server) => {
    leaveBodiesRaw(scope);
    scope.put(
      CONTENT_PATH,
      { config, schema: { querystring: ContentQuery, response: envelopedNothing } },
      async (request) => {
        const session = await sessions.getLegacy(callerOf(request).accountId, request.query.storageName);
        const { maxBytes, message } = await proxyContent.check(session);
        checkContentLength(request, maxBytes, message);
        await proxyContent.receive(session, (store) => store(readRawBody(request)));
        return NOTHING;
      },
    );
  });

  server.post(
    '/api/files/upload/complete',
    { config, schema: { body: CompleteBody, response: enveloped(EntryRecord) } },
    async (request) => {
      const named = toNewFile(request.body);
      const session = await sessions.getLegacy(callerOf(request).accountId, request.body.storageName);
      const file = { ...named, modifiedAt: session.modifiedAt ?? undefined };
      const { added } = await completion.complete(driveOf(request), session, file);
      if (added == null) throw noSuchUpload();
      return success(toRecord(added));
    },
  );
}
