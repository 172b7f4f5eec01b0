import type { FastifyReply, FastifyRequest } from 'fastify';
import { requesterKeyOf } from '../../base/network/requester-key.ts';
import { requesterOf } from '../caller.ts';
import { clientSignalOf } from '../client-signal.ts';

/** The client of a download. When it ends, the resources of the download are released. */
export interface DownloadClient {
  /** The account, or the address of a visitor. */
  readonly key: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Registers a call for the end of the response, or for when the client disconnects first. */
  readonly onEnd: (call: () => void) => void;
}

export function downloadClientOf(request: FastifyRequest, reply: FastifyReply): DownloadClient {
  const { raw } = reply;
  return {
    key: requesterKeyOf(requesterOf(request)),
    signal: clientSignalOf(reply),
    onEnd: (call) => {
      if (raw.destroyed) call();
      else raw.once('close', call);
    },
  };
}
