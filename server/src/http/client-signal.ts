import type { FastifyReply } from 'fastify';
import { Failure } from '../base/failure.ts';

/**
 * A signal that aborts when the client disconnects before its response is complete. It lets long work stop
 * early.
 */
export function clientSignalOf({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  const check = () => {
    if (!raw.writableFinished) left.abort(new Failure('rejected', 'The client has disconnected.'));
  };
  if (raw.destroyed) check();
  else raw.once('close', check);
  return left.signal;
}
