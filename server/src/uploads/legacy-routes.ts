import type { FastifyRequest } from 'fastify';
import { type EntryRecords, toNewFile } from '../drive/drive.ts';
import { callerOf } from '../http/caller.ts';
import { actorOf, toAddressInDrive } from '../http/chosen-drive.ts';
import { checkContentLength } from '../http/forms/multipart.ts';
import { mount } from '../http/operation.ts';
import { leaveBodiesRaw, readRawBody } from '../http/parsing/bodies.ts';
import type { Server } from '../http/server.ts';
import { completeUpload, initiateUpload, sendUploadContent } from './contract.ts';
import { noSuchUpload } from './upload-session.ts';
import type { Uploads } from './uploads.ts';

/**
 * The legacy API for multi-step uploads, on top of upload sessions: `initiate` returns an opaque key and a
 * URL for the bytes, and `complete` creates the file. A key works once, for the account that requested it.
 */
export function legacyUploadRoutes(
  server: Server,
  { uploads, records, baseUrl }: { uploads: Uploads; records: EntryRecords; baseUrl: () => string },
): void {
  const { sessions, direct, proxyContent, completion } = uploads;
  const driveOf = (request: FastifyRequest) => uploads.toOwnDrive(actorOf(request));

  mount(server, initiateUpload, async (request) => {
    const file = toNewFile(request.body);
    const announcement = { kind: 'LEGACY', file, size: request.body.size } as const;
    const session = await sessions.create(driveOf(request), announcement);
    const storageName = session.objectKey;
    if (session.mode === 'DIRECT_SINGLE') {
      const { url, method, headers } = await direct.prepare(session);
      return { direct: true, uploadUrl: url, method, headers: { ...headers }, storageName };
    }
    const address = `/api/files/upload/content?${new URLSearchParams({ storageName })}`;
    return {
      direct: false,
      uploadUrl: `${baseUrl()}${toAddressInDrive(request, address)}`,
      method: 'PUT',
      headers: { 'Content-Type': file.contentType },
      storageName,
    };
  });

  server.register(async (scope: Server) => {
    leaveBodiesRaw(scope);
    mount(scope, sendUploadContent, async (request) => {
      const session = await sessions.getLegacy(driveOf(request), request.query.storageName);
      const { maxBytes, message } = await proxyContent.check(session);
      checkContentLength(request, maxBytes, message);
      await proxyContent.receive(session, (store) => store(readRawBody(request)));
    });
  });

  mount(server, completeUpload, async (request) => {
    const named = toNewFile(request.body);
    const session = await sessions.getLegacy(driveOf(request), request.body.storageName);
    const file = { ...named, modifiedAt: session.modifiedAt ?? undefined };
    const { added } = await completion.complete(driveOf(request), session, file);
    if (added == null) throw noSuchUpload();
    return records.toRecord(callerOf(request), added);
  });
}
