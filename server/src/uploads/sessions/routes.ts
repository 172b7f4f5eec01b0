import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { toNewFile } from '../../drive/drive.ts';
import { actorOf, toAddressInDrive } from '../../http/chosen-drive.ts';
import type { UploadTarget } from '../../http/fields.ts';
import { checkContentLength, readFileForm } from '../../http/forms/multipart.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import type { SignedRequest } from '../../storage/direct-transfers.ts';
import {
  cancelUploadSession,
  completeUploadSession,
  createUploadSession,
  getUploadSession,
  preparePart,
  prepareSession,
  recordPart,
  sendSessionContent,
} from '../contract.ts';
import type { UploadDestination } from '../upload-destination.ts';
import { getNewFile, type UploadSession } from '../upload-session.ts';
import type { Uploads } from '../uploads.ts';
import { toRecordWithRuntime, toSessionRecord } from './session-record.ts';

/** Upload sessions (v2). */
export function uploadSessionRoutes(server: Server, uploads: Uploads, clock: Clock): void {
  const { sessions, proxyContent, completion } = uploads;
  const toRecord = (request: FastifyRequest, session: UploadSession) =>
    toSessionRecord(session, optionsFor(request, clock));

  mount(server, createUploadSession, async (request) => {
    const { size } = request.body;
    const onConflict = request.body.onConflict ?? 'FAIL';
    const announcement = { kind: 'SESSION', file: toNewFile(request.body), size, onConflict } as const;
    return toRecord(request, await sessions.create(ownDriveOf(uploads, request), announcement));
  });

  mount(server, getUploadSession, async (request) => {
    const session = await sessions.get(ownDriveOf(uploads, request), request.params.sessionId);
    return toRecordWithRuntime(session, await sessions.findProgress(session), optionsFor(request, clock));
  });

  mount(server, cancelUploadSession, async (request) =>
    toRecord(request, await sessions.cancel(ownDriveOf(uploads, request), request.params.sessionId)),
  );

  mount(server, sendSessionContent, async (request) => {
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
    return toRecord(request, received);
  });

  mount(server, completeUploadSession, async (request) => {
    const { sessionId } = request.params;
    const rule = request.body?.onConflict;
    const session =
      rule == null
        ? await sessions.get(ownDriveOf(uploads, request), sessionId)
        : await sessions.setConflictRule(ownDriveOf(uploads, request), sessionId, rule);
    const completed = await completion.complete(ownDriveOf(uploads, request), session, getNewFile(session));
    return toRecord(request, completed.session);
  });

  directRoutes(server, uploads, clock);
}

/** Routes for clients that send the bytes directly to the object store. */
function directRoutes(server: Server, uploads: Uploads, clock: Clock): void {
  const { sessions, direct } = uploads;

  mount(server, prepareSession, async (request) => {
    const session = await sessions.get(ownDriveOf(uploads, request), request.params.sessionId);
    return toTarget(await direct.prepare(session), session);
  });

  mount(server, preparePart, async (request) => {
    const { sessionId, partIndex } = request.params;
    const session = await sessions.get(ownDriveOf(uploads, request), sessionId);
    return toTarget(await direct.preparePart(session, partIndex), session);
  });

  mount(server, recordPart, async (request) => {
    const { sessionId, partIndex } = request.params;
    const session = await sessions.get(ownDriveOf(uploads, request), sessionId);
    const recorded = await direct.recordPart(session, partIndex, request.body);
    return toSessionRecord(recorded, optionsFor(request, clock));
  });
}

/** The addresses in a record keep the drive that the request has chosen. */
function optionsFor(request: FastifyRequest, clock: Clock) {
  return { now: clock.now(), toAddress: (path: string) => toAddressInDrive(request, path) };
}

function toTarget({ url, method, headers }: SignedRequest, { objectKey }: UploadSession): UploadTarget {
  return { direct: true, uploadUrl: url, method, headers: { ...headers }, storageName: objectKey };
}

function ownDriveOf(uploads: Uploads, request: FastifyRequest): UploadDestination {
  return uploads.toOwnDrive(actorOf(request));
}
