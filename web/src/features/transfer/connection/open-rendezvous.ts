import {
  Rendezvous,
  type SignalCalls,
  WAIT_SECONDS,
} from '../../../../../client/src/transfer/connection/rendezvous.ts';
import { ApiError, isPassing } from '../../../api/api-error.ts';
import type { ask } from '../../../api/ask.ts';
import type { SignalPage } from '../../../api/contract.ts';

export interface MeetingPlace {
  readonly sessionId: string;
  readonly peerToken: string;
}

/** The signals of an ONLINE session, through the calls of this page. */
export function openRendezvous({ sessionId, peerToken }: MeetingPlace, asking: typeof ask): Rendezvous {
  const address = `/api/transfer/sessions/${sessionId}/signals`;
  const headers = { 'x-transfer-token': peerToken };
  const calls: SignalCalls = {
    send: (type, payload) => asking('POST', address, { body: { type, payload }, headers }),
    readAfter: (after, signal) =>
      asking<SignalPage>('GET', address, { query: { after, waitSeconds: WAIT_SECONDS }, headers, signal }),
    judge: (error) => ({
      isGone: isGone(error),
      isPassing: isPassing(error),
      retryAfterSeconds: error instanceof ApiError ? error.retryAfter : undefined,
    }),
  };
  return new Rendezvous(sessionId, calls);
}

/** Whether the session has ended, or this side has no part in it. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 403);
}
