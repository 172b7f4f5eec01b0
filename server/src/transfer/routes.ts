import type { Clock } from '../base/clock.ts';
import { Turns } from '../base/concurrency/turns.ts';
import { Failure } from '../base/failure.ts';
import type { IceServerSettings } from '../config/ice-servers.ts';
import { type Caller, callerOf } from '../http/caller.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import {
  type Announced,
  createTransfer,
  endTransfer,
  findTransfer,
  getIceServers,
  joinTransfer,
  leaveTransfer,
} from './contract.ts';
import { toEncryptedFile, toSalt } from './encrypted-announcement.ts';
import { listIceServers } from './ice-servers.ts';
import { toPickupCode } from './pickup-code.ts';
import { toTransferRecord } from './session-record.ts';
import { payerOf, peerTokenOf } from './signals/routes.ts';
import type { Transfers } from './transfer.ts';
import { type AnnouncedFile, toAnnouncedFile } from './transfer-session.ts';

/** Quick transfer: sessions and ICE servers. */
export function transferRoutes(
  server: Server,
  parts: { transfers: Transfers; iceServers: readonly IceServerSettings[]; clock: Clock },
): void {
  const { transfers, iceServers, clock } = parts;

  mount(server, createTransfer, async (request) => {
    const { mode, files, requirePeerToken } = request.body;
    const salt = toSalt(request.body);
    const announced = {
      files: await toFiles(files, salt === null ? toFile : toEncryptedFile),
      requiresToken: requirePeerToken === true,
      salt,
    };
    const createOffline = ({ accountId, driveId }: Caller) =>
      transfers.sessions.createOffline({ ...announced, accountId }, driveId);
    const { peerToken, ...created } =
      mode === 'OFFLINE'
        ? await createOffline(callerOf(request))
        : await transfers.sessions.createOnline(
            { ...announced, accountId: request.caller?.accountId ?? null },
            payerOf(request),
          );
    return { ...toTransferRecord(created), peerToken };
  });

  mount(server, findTransfer, async (request) => {
    const code = toPickupCode(request.query.pickupCode);
    return toTransferRecord(await transfers.sessions.getByCode(code, request.ip));
  });

  mount(server, joinTransfer, async (request) => {
    const { peerToken, ...joined } = await transfers.sessions.join(request.params.sessionId.toLowerCase());
    const record = toTransferRecord(joined);
    return peerToken === undefined ? record : { ...record, peerToken };
  });

  mount(server, leaveTransfer, async (request) => {
    await transfers.sessions.leave(request.params.sessionId.toLowerCase(), peerTokenOf(request));
  });

  mount(server, endTransfer, async (request) => {
    const caller = { accountId: request.caller?.accountId, token: peerTokenOf(request) };
    await transfers.end(request.params.sessionId.toLowerCase(), caller);
  });

  mount(server, getIceServers, async (request, reply) => {
    const transferId = request.query.sessionId?.toLowerCase();
    if (transferId !== undefined) await transfers.sessions.checkLive(transferId);
    reply.header('cache-control', 'no-store');
    const sessionId = transferId ?? request.caller?.sessionId;
    return { iceServers: listIceServers(iceServers, sessionId, clock.now()) };
  });
}

async function toFiles(
  files: readonly Announced[],
  check: (file: Announced, index: number) => AnnouncedFile,
): Promise<readonly AnnouncedFile[]> {
  const announced: AnnouncedFile[] = [];
  const turns = new Turns();
  for (const [index, file] of files.entries()) {
    if (turns.isOver()) await turns.next();
    announced.push(check(file, index));
  }
  return announced;
}

function toFile(sent: Announced): AnnouncedFile {
  const { name, filename, relativePath = null, size, contentType = null, encryptedName } = sent;
  if (encryptedName != null) {
    throw new Failure('invalid', 'Only the files of an encrypted transfer have encrypted names.');
  }
  const actualName = name ?? filename;
  if (actualName == null) throw new Failure('invalid', 'Each file must have a name.');
  return toAnnouncedFile({ name: actualName, relativePath, size, contentType });
}
