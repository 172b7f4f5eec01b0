import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../../base/clock.ts';
import { toNewFile } from '../../drive/drive.ts';
import { actorOf } from '../../http/caller.ts';
import { enveloped, success } from '../../http/envelope.ts';
import { FileBytes, UploadTarget } from '../../http/fields.ts';
import { checkContentLength, readFileForm } from '../../http/forms/multipart.ts';
import type { Server } from '../../http/server.ts';
import type { SignedRequest } from '../../storage/direct-transfers.ts';
import {
  CompleteSessionBody,
  CreateSessionBody,
  PartBody,
  PartParams,
  SessionParams,
  SessionRecord,
  SessionWithRuntime,
} from '../contract.ts';
import type { UploadDestination } from '../upload-destination.ts';
import { getNewFile, type UploadSession } from '../upload-session.ts';
import type { Uploads } from '../uploads.ts';
import { toRecordWithRuntime, toSessionRecord } from './session-record.ts';

const BASE = '/api/v2/files/upload-sessions';
const config = { access: 'login', appPassword: 'write' } as const;

/** Upload sessions (v2). */
export function uploadSessionRoutes(server: Server, uploads: Uploads, clock: Clock): void {
  const { sessions, proxyContent, completion } = uploads;
  const answer = (session: UploadSession) => success(toSessionRecord(session, clock.now()));

  server.post(
    BASE,
    { config, schema: { body: CreateSessionBody, response: enveloped(SessionRecord) } },
    async (request) => {
      const { size } = request.body;
      const onConflict = request.body.onConflict ?? 'FAIL';
      const announcement = { kind: 'SESSION', file: toNewFile(request.body), size, onConflict } as const;
      return answer(await sessions.create(ownDriveOf(uploads, request), announcement));
    },
  );

  server.get(
    `${BASE}/:sessionId`,
    {
      config: { ...config, appPassword: 'read' },
      schema: { params: SessionParams, response: enveloped(SessionWithRuntime) },
    },
    async (request) => {
      const session = await sessions.get(ownDriveOf(uploads, request), request.params.sessionId);
      return success(toRecordWithRuntime(session, await sessions.findProgress(session), clock.now()));
    },
  );

  server.delete(
    `${BASE}/:sessionId`,
    { config, schema: { params: SessionParams, response: enveloped(SessionRecord) } },
    async (request) => answer(await sessions.cancel(ownDriveOf(uploads, request), request.params.sessionId)),
  );

  server.post(
    `${BASE}/:sessionId/content`,
    {
      config: { ...config, form: Type.Object({ file: FileBytes }) },
      schema: { params: SessionParams, response: enveloped(SessionRecord) },
    },
    async (request) => {
      const session = await sessions.get(ownDriveOf(uploads, request), request.params.sessionId);
      const { maxBytes, message } = await proxyContent.check(session);
      checkContentLength(request, maxBytes, message);
      const received = await proxyContent.receive(session, async (store, signal) => {
        const form = await readFileForm(
          request,
          (file) => store(file.bytes),
          (bytes) => proxyContent.discard(bytes),
          signal,
        );
        return form.received;
      });
      return answer(received);
    },
  );

  server.post(
    `${BASE}/:sessionId/complete`,
    {
      config,
      schema: { params: SessionParams, body: CompleteSessionBody, response: enveloped(SessionRecord) },
    },
    async (request) => {
      const { sessionId } = request.params;
      const rule = request.body?.onConflict;
      const session =
        rule == null
          ? await sessions.get(ownDriveOf(uploads, request), sessionId)
          : await sessions.setConflictRule(ownDriveOf(uploads, request), sessionId, rule);
      const completed = await completion.complete(ownDriveOf(uploads, request), session, getNewFile(session));
      return answer(completed.session);
    },
  );

  directRoutes(server, uploads, clock);
}

/** The routes of clients that send the bytes to the object store directly. */
function directRoutes(server: Server, uploads: Uploads, clock: Clock): void {
  const { sessions, direct } = uploads;

  server.get(
    `${BASE}/:sessionId/prepare`,
    { config, schema: { params: SessionParams, response: enveloped(UploadTarget) } },
    async (request) => {
      const session = await sessions.get(ownDriveOf(uploads, request), request.params.sessionId);
      return success(toTarget(await direct.prepare(session), session));
    },
  );

  server.get(
    `${BASE}/:sessionId/parts/:partIndex/prepare`,
    { config, schema: { params: PartParams, response: enveloped(UploadTarget) } },
    async (request) => {
      const { sessionId, partIndex } = request.params;
      const session = await sessions.get(ownDriveOf(uploads, request), sessionId);
      return success(toTarget(await direct.preparePart(session, partIndex), session));
    },
  );

  server.put(
    `${BASE}/:sessionId/parts/:partIndex`,
    { config, schema: { params: PartParams, body: PartBody, response: enveloped(SessionRecord) } },
    async (request) => {
      const { sessionId, partIndex } = request.params;
      const session = await sessions.get(ownDriveOf(uploads, request), sessionId);
      const recorded = await direct.recordPart(session, partIndex, request.body);
      return success(toSessionRecord(recorded, clock.now()));
    },
  );
}

function toTarget({ url, method, headers }: SignedRequest, { objectKey }: UploadSession): UploadTarget {
  return { direct: true, uploadUrl: url, method, headers: { ...headers }, storageName: objectKey };
}

function ownDriveOf(uploads: Uploads, request: FastifyRequest): UploadDestination {
  return uploads.toOwnDrive(actorOf(request));
}
