import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { Failure } from '../base/failure.ts';
import { bearerTokenOf } from './caller.ts';

/**
 * `GET /metrics` in Prometheus' text format, for loopback or for callers that send the token if there is one.
 */
export function exposeMetrics(server: FastifyInstance, token: string | undefined): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'holdall_' });
  const durations = new Histogram({
    name: 'holdall_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
    registers: [registry],
  });
  server.addHook('onResponse', (request, reply, done) => {
    // The pattern of the route, never the URL as it was sent: the number of label values must stay bounded.
    const { url: route = 'none' } = request.routeOptions;
    const labels = { method: request.method, route, status: reply.statusCode };
    durations.observe(labels, reply.elapsedTime / 1_000);
    done();
  });
  server.get(
    '/metrics',
    { config: { access: 'public', appPassword: 'read' }, schema: { hide: true } },
    async (request, reply) => {
      if (!mayRead(request, token)) throw new Failure('not-found', 'There is nothing at this address.');
      return reply.type(registry.contentType).send(await registry.metrics());
    },
  );
}

function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return /^(127\.|::1$|::ffff:127\.)/.test(request.ip) && !isForwarded(request);
  const sent = Buffer.from(bearerTokenOf(request) ?? '');
  const expected = Buffer.from(token);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/**
 * Requests that a proxy on this machine forwards arrive from loopback too, but they are other people's
 * requests.
 */
function isForwarded(request: FastifyRequest): boolean {
  return request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined;
}
