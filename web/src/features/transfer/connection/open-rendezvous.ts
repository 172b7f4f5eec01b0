import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import {
  Rendezvous,
  type SignalCalls,
  WAIT_SECONDS,
} from '../../../../../client/src/transfer/connection/rendezvous.ts';
import type { ask } from '../../../api/ask.ts';
import { isPassing } from '../../../api/is-passing.ts';

export interface MeetingPlace {
  readonly sessionId: string;
  readonly peerToken: string;
}

/** Exchanges the signals of an ONLINE session through API calls of this page. */
export function openRendezvous({ sessionId, peerToken }: MeetingPlace, asking: typeof ask): Rendezvous {
  const place = { path: { sessionId }, headers: { 'x-transfer-token': peerToken } };
  const calls: SignalCalls = {
    send: (type, payload) =>
      asking('POST /api/transfer/sessions/{sessionId}/signals', { ...place, body: { type, payload } }),
    readAfter: (after, signal) => {
      const query = { after, waitSeconds: WAIT_SECONDS };
      return asking('GET /api/transfer/sessions/{sessionId}/signals', { ...place, query, signal });
    },
    judge: (error) => ({
      isGone: isGone(error),
      isPassing: isPassing(error),
      retryAfterSeconds: error instanceof HoldallError ? error.retryAfterSeconds : undefined,
    }),
  };
  return new Rendezvous(sessionId, calls);
}

/** Whether the session has ended, or this side no longer takes part in it. */
export function isGone(error: unknown): boolean {
  return error instanceof HoldallError && (error.status === 404 || error.status === 403);
}
