import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { toImportTarget } from '../../drive/contract.ts';
import type { EntryRecords } from '../../drive/drive.ts';
import { callerOf, mayWrite } from '../../http/caller.ts';
import { actorOf } from '../../http/chosen-drive.ts';
import { downloadClientOf } from '../../http/download/download-client.ts';
import { rangeToSend, sendStream } from '../../http/download/file-download.ts';
import { senderOf } from '../../http/download/file-sender.ts';
import { checkContentLength, isMultipart, readFileForm } from '../../http/forms/multipart.ts';
import { mount } from '../../http/operation.ts';
import { leaveBodiesRaw, readRawBody } from '../../http/parsing/bodies.ts';
import type { Server } from '../../http/server.ts';
import { toOwnRecord, toTransferRecord } from '../session-record.ts';
import type { Transfers } from '../transfer.ts';
import {
  downloadTransfer,
  downloadTransferFile,
  importTransferFile,
  listStoredTransfers,
  type TransferFileParams,
  transferTusOperations,
  uploadTransferFile,
} from './contract.ts';
import type { OfflineFiles } from './files.ts';

/**
 * The files of OFFLINE sessions: upload, list, download one by one or as one archive, import.
 * @param parts.accelRedirect the location at which a reverse proxy serves the objects, if one is configured
 */
export function offlineRoutes(
  server: Server,
  parts: { offline: OfflineFiles; records: EntryRecords; accelRedirect: string | undefined },
): void {
  const { offline, records, accelRedirect } = parts;
  const send = senderOf(accelRedirect);

  mount(server, listStoredTransfers, async (request) => {
    const caller = callerOf(request);
    const own = await offline.listByOwner(caller.accountId);
    return own.map((transfer) => toOwnRecord(transfer, mayWrite(caller)));
  });

  server.register(async (scope: Server) => {
    leaveBodiesRaw(scope);
    mount(scope, uploadTransferFile, async (request) => {
      const { sessionId, fileId } = toIds(request.params);
      const { accountId, driveId } = callerOf(request);
      const expected = await offline.getExpected(accountId, sessionId, fileId);
      checkContentLength(request, expected.file.size, 'The file is larger than announced.');
      const changed = await offline.reserveDuring(expected, driveId, async () => {
        const bytes = isMultipart(request)
          ? (
              await readFileForm(
                request,
                ({ bytes }) => offline.store(expected, bytes),
                (stored) => offline.discard(stored),
              )
            ).received
          : await offline.store(expected, readRawBody(request));
        return await offline.attach(expected, bytes);
      });
      return toTransferRecord(changed);
    });
  });

  mount(server, downloadTransferFile, async (request, reply) => {
    const { sessionId, fileId } = toIds(request.params);
    const file = await offline.open(sessionId, fileId);
    const sendsBytes = rangeToSend(request, file) !== undefined;
    const url = sendsBytes ? await offline.findStoreUrl(file) : undefined;
    if (url === undefined) return send(request, reply, file);
    return reply.header('cache-control', 'no-store').redirect(url, 302);
  });

  mount(server, downloadTransfer, async (request, reply) => {
    const sessionId = request.params.sessionId.toLowerCase();
    return sendStream(request, reply, await offline.openAll(sessionId, downloadClientOf(request, reply)));
  });

  mount(server, importTransferFile, async (request) => {
    const { sessionId, fileId } = toIds(request.params);
    const target = toImportTarget(request.body);
    const imported = await offline.import(actorOf(request), sessionId, fileId, target);
    return records.toRecord(callerOf(request), imported);
  });
}

function toIds({ sessionId, fileId }: { sessionId: string; fileId: string }) {
  return { sessionId: sessionId.toLowerCase(), fileId: fileId.toLowerCase() };
}

/** Resumable uploads of the files of OFFLINE sessions by their sender, for `tusRoutes`. */
export function transferTusPlace({ offline, resumable }: Transfers) {
  return {
    operations: transferTusOperations,
    findPlace: async (request: FastifyRequest) => {
      const given = request.params as Static<typeof TransferFileParams>;
      const sender = callerOf(request);
      const params = { transferId: given.transferId.toLowerCase(), fileId: given.fileId.toLowerCase() };
      const file = await offline.getOwn(sender.accountId, params.transferId, params.fileId);
      return { destination: resumable.toDestination(sender, file), params };
    },
  };
}
