import { timingSafeEqual } from 'node:crypto';
import { createServer, type Server as HttpServer } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SECOND } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { bearerTokenOf } from '../caller.ts';
import type { MetricsPage } from './metrics-page.ts';

/** Mounts `GET /metrics` for callers with the token. If no token is set, only loopback may call it. */
export function exposeMetrics(server: FastifyInstance, page: MetricsPage, token: string | undefined): void {
  server.get(
    '/metrics',
    { config: { access: 'public', appPassword: 'read' }, schema: { hide: true } },
    async (request, reply) => {
      if (!mayRead(request, token)) throw new Failure('not-found', 'There is nothing at this address.');
      const { contentType, text } = await page.render();
      return reply.type(contentType).send(text);
    },
  );
}

/**
 * Creates a separate server for the metrics, for an address that only the operator can reach. It requires the
 * token if one is set. It does not listen yet.
 */
export function createMetricsServer(page: MetricsPage, token: string | undefined): HttpServer {
  const server = createServer({ requestTimeout: 10 * SECOND }, (request, response) => {
    const { method, url, headers } = request;
    request.resume();
    const isRead = method === 'GET' && url?.split('?')[0] === '/metrics';
    if (
      !isRead ||
      (token !== undefined && !isToken(headers.authorization?.replace(/^Bearer /i, ''), token))
    ) {
      response.writeHead(404).end();
      return;
    }
    page.render().then(
      ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = 100;
  return server;
}

function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return /^(127\.|::1$|::ffff:127\.)/.test(request.ip) && !isForwarded(request);
  return isToken(bearerTokenOf(request), token);
}

function isToken(text: string | undefined, token: string): boolean {
  const sent = Buffer.from(text ?? '');
  const expected = Buffer.from(token);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/**
 * Whether a proxy forwarded the request. A proxy on this machine also connects from loopback, but its
 * requests come from others.
 */
function isForwarded(request: FastifyRequest): boolean {
  return request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined;
}
