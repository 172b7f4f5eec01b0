import type { FastifyInstance } from 'fastify';

/**
 * One line per request. It names the route, never the address as it was sent: addresses carry share tokens,
 * signatures and, for event streams, the access token. Headers and bodies are never logged.
 */
export function logRequests(server: FastifyInstance): void {
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        account: request.caller?.accountId,
      },
      'request',
    );
    done();
  });
}
