import { ForbiddenError, HoldallError, NotFoundError } from '../../errors/errors.ts';
import type { IceServer } from '../connection/peer-connection.ts';
import { Rendezvous } from '../connection/rendezvous.ts';
import type { Peer, TransferCalls } from './transfer-calls.ts';

/** Opens the exchange of signals for an ONLINE session. */
export function openRendezvous(calls: TransferCalls, peer: Peer): Rendezvous {
  // No retries, because the rendezvous repeats the calls itself.
  const retries = 0;
  return new Rendezvous(peer.sessionId, {
    send: (type, payload) => calls.signal(peer, type, payload, { retries }),
    readAfter: (cursor, signal) => calls.signalsAfter(peer, cursor, { signal, retries }),
    judge: (error) => ({
      isGone: isGone(error),
      isPassing: error instanceof HoldallError && error.isPassing,
      retryAfterSeconds: error instanceof HoldallError ? error.retryAfterSeconds : undefined,
    }),
  });
}

/** Whether the session has ended, or this side is not part of it. */
export function isGone(error: unknown): boolean {
  return error instanceof NotFoundError || error instanceof ForbiddenError;
}

/** Finds the ICE servers, with the session's credentials for relays. @throws HoldallError */
export async function findIceServers(calls: TransferCalls, sessionId: string): Promise<IceServer[]> {
  const { iceServers } = await calls.iceServers(sessionId);
  return iceServers.map(({ urls, username, credential }) => ({
    urls: [...urls],
    ...(username === undefined ? {} : { username }),
    ...(credential === undefined ? {} : { credential }),
  }));
}
