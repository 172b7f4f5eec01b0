import type { FastifyReply, FastifyRequest } from 'fastify';
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
import type { TransferFetches } from './fetches.ts';
import type { OfflineFiles } from './files.ts';

/**
 * The files of OFFLINE sessions: upload, list, download one by one or as one archive, import.
 * @param parts.accelRedirect the location at which a reverse proxy serves the objects, if one is configured
 */
export function offlineRoutes(
  server: Server,
  parts: {
    offline: OfflineFiles;
    fetches: TransferFetches;
    records: EntryRecords;
    accelRedirect: string | undefined;
  },
): void {
  const { offline, fetches, records, accelRedirect } = parts;
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
    const range = rangeToSend(request, file);
    if (!file.isFetched && range?.end === file.size - 1) {
      onSent(reply, () => fetches.noteFile({ sessionId, fileId, by: request.caller?.accountId }));
    }
    const url = range === undefined ? undefined : await offline.findStoreUrl(file);
    if (url === undefined) return send(request, reply, file);
    return reply.header('cache-control', 'no-store').redirect(url, 302);
  });

  mount(server, downloadTransfer, async (request, reply) => {
    const sessionId = request.params.sessionId.toLowerCase();
    const archive = await offline.openAll(sessionId, downloadClientOf(request, reply));
    if (request.method === 'GET') {
      onSent(reply, async () => {
        const by = request.caller?.accountId;
        if (hasSentEnd(reply, archive.size)) await fetches.noteAll({ sessionId, by });
      });
    }
    return sendStream(request, reply, archive);
  });

  mount(server, importTransferFile, async (request) => {
    const { sessionId, fileId } = toIds(request.params);
    const target = toImportTarget(request.body);
    const imported = await offline.import(actorOf(request), sessionId, fileId, target);
    await fetches.noteFile({ sessionId, fileId, by: callerOf(request).accountId });
    return records.toRecord(callerOf(request), imported);
  });
}

/** Does something after a successful response was handed to the system, or to whatever sends the bytes. */
function onSent({ raw }: FastifyReply, work: () => Promise<void>): void {
  raw.once('finish', () => {
    if (raw.statusCode < 400) void work();
  });
}

/** Whether the response was the whole file, or the range at its end. */
function hasSentEnd({ raw }: FastifyReply, size: number): boolean {
  if (raw.statusCode === 200) return true;
  return raw.statusCode === 206 && String(raw.getHeader('content-range')).endsWith(`-${size - 1}/${size}`);
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
