import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The status that nginx logs for a client that disconnected before the response. */
const CLIENT_CLOSED_REQUEST = 499;

export interface RequestEnd {
  readonly request: FastifyRequest;
  readonly method: string;
  /** The pattern of the route, never the URL as it was sent. */
  readonly route: string;
  /** 499 if the client left before anything of the answer was sent. */
  readonly status: number;
  readonly seconds: number;
  /** Whether the client left, or the connection broke, before the whole answer was sent. */
  readonly isAborted: boolean;
}

/**
 * Calls the listener once for each request of the server, however the request ends. Fastify's `onResponse`
 * does not run if the client disconnects. Must be called before other hooks are added, because they may
 * reject the request.
 */
export function onRequestEnd(server: FastifyInstance, listener: (end: RequestEnd) => void): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    raw.once('close', () => {
      const isAborted = !raw.writableFinished;
      listener({
        request,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: isAborted && !raw.headersSent ? CLIENT_CLOSED_REQUEST : raw.statusCode,
        seconds: reply.elapsedTime / 1_000,
        isAborted,
      });
    });
    done();
  });
}
