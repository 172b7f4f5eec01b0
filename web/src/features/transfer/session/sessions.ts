import type {
  InputOf,
  OwnTransferRecord,
  TransferForPeer,
  TransferRecord,
} from '../../../../../client/src/client.ts';
import { addressOf } from '../../../api/address-of.ts';
import { ask } from '../../../api/ask.ts';
import { isGone } from '../connection/open-rendezvous.ts';

type CreateTransferBody = InputOf<'POST /api/transfer/sessions'>['body'];

/** What the sender announces when it creates a session, without the mode. */
export type Announcement = Pick<CreateTransferBody, 'files' | 'encrypted' | 'salt'>;

export function createSession(
  mode: CreateTransferBody['mode'],
  announcement: Announcement,
): Promise<TransferForPeer> {
  return ask('POST /api/transfer/sessions', { body: { mode, ...announcement, requirePeerToken: true } });
}

export function lookUpSession(pickupCode: string, signal?: AbortSignal): Promise<TransferRecord> {
  return ask('GET /api/transfer/sessions/lookup', { query: { pickupCode }, signal });
}

/** @throws HoldallError 409 if someone else has joined */
export function joinSession(sessionId: string): Promise<TransferForPeer> {
  // Sessions created by pages need tokens, so every receiver gets one.
  return ask('POST /api/transfer/sessions/{sessionId}/join', {
    path: { sessionId },
  }) as Promise<TransferForPeer>;
}

/** Gives the receiver's place back, so that the code can be used again. Works for either side. */
export async function leaveSession(
  { sessionId, peerToken }: Pick<TransferForPeer, 'sessionId' | 'peerToken'>,
  { keepalive = false } = {},
): Promise<void> {
  const headers = { 'x-transfer-token': peerToken };
  await ask('DELETE /api/v2/transfer/sessions/{sessionId}/receiver', {
    path: { sessionId },
    headers,
    keepalive,
  });
}

/**
 * Frees the receiver's place in the session, if there is one. If that fails, the receiver may still be there:
 * the network of this page may be the problem.
 * @returns whether the place is free
 */
export async function freePlace(session: TransferForPeer | undefined): Promise<boolean> {
  try {
    if (session !== undefined) await leaveSession(session);
    return true;
  } catch (error) {
    return isGone(error);
  }
}

/** @param peerToken the sender's token; not needed by the login that created the session */
export async function endSession(
  sessionId: string,
  peerToken?: string,
  { keepalive = false } = {},
): Promise<void> {
  const headers = peerToken === undefined ? {} : { 'x-transfer-token': peerToken };
  await ask('DELETE /api/transfer/sessions/{sessionId}', { path: { sessionId }, headers, keepalive });
}

/** A stored transfer of the user. The code is always known here: it is hidden from app passwords only. */
export type OwnTransfer = OwnTransferRecord & { readonly pickupCode: string };

export function listOwnSessions(signal?: AbortSignal): Promise<readonly OwnTransfer[]> {
  return ask('GET /api/transfer/sessions/offline/mine', { signal }) as Promise<readonly OwnTransfer[]>;
}

/** The ICE servers, with relay credentials for this session. */
export async function findIceServers(sessionId: string): Promise<RTCIceServer[]> {
  const { iceServers } = await ask('GET /api/transfer/ice-servers', { query: { sessionId } });
  // The cast only drops `readonly`; the browser does not modify them.
  return iceServers as unknown as RTCIceServer[];
}

export function contentAddress(sessionId: string, fileId: string): string {
  const path = { sessionId, fileId };
  return addressOf('POST /api/transfer/sessions/{sessionId}/files/{fileId}/content', { path });
}

/** The URL that creates an upload of the file in pieces. */
export function piecesAddress(sessionId: string, fileId: string): string {
  const path = { transferId: sessionId, fileId };
  return addressOf('POST /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus', { path });
}

/** The URL of one stored file. */
export function downloadAddress(sessionId: string, fileId: string): string {
  const path = { sessionId, fileId };
  return addressOf('GET /api/transfer/sessions/{sessionId}/files/{fileId}/download', { path });
}

/** The URL of an archive with all files of an unencrypted session. */
export function archiveAddress(sessionId: string): string {
  return addressOf('GET /api/v2/transfer/sessions/{sessionId}/download', { path: { sessionId } });
}

/**
 * Asks another device of the user to receive a transfer that no one has joined.
 * @param device the id of its login session
 * @throws HoldallError 404 if the device is no longer online
 */
export async function offerSession(sessionId: string, device: string): Promise<void> {
  const name = 'POST /api/v2/transfer/sessions/{sessionId}/offer';
  await ask(name, { path: { sessionId }, body: { session: device } });
}

/** @throws HoldallError 404 if it is no longer offered to this device */
export async function declineOffer(sessionId: string): Promise<void> {
  await ask('DELETE /api/v2/transfer/sessions/{sessionId}/offer', { path: { sessionId } });
}

/** When the session ends, by this machine's clock, which may be wrong. */
export function endOf({ createdAt, expiresAt }: TransferForPeer): number {
  return Date.now() + Date.parse(expiresAt) - Date.parse(createdAt);
}
