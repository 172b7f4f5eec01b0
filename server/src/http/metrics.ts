import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { Failure } from '../base/failure.ts';
import { bearerTokenOf } from './caller.ts';

/** `GET /metrics` in Prometheus' text form: for loopback, or for whoever has the token (contract, section 12). */
export function exposeMetrics(server: FastifyInstance, token: string | undefined): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'holdall_' });
  const durations = new Histogram({
    name: 'holdall_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
    registers: [registry],
  });
  // Looking a series up by its labels costs more than the rest; there are as many as routes and statuses.
  const series = new Map<string, Histogram.Internal<string>>();
  server.addHook('onResponse', (request, reply, done) => {
    const { url = 'none' } = request.routeOptions;
    const name = `${request.method} ${url} ${reply.statusCode}`;
    let one = series.get(name);
    if (one === undefined) {
      one = durations.labels(request.method, url, String(reply.statusCode));
      series.set(name, one);
    }
    one.observe(reply.elapsedTime / 1_000);
    done();
  });
  server.get('/metrics', { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request, token)) throw new Failure('not-found', 'There is nothing at this address.');
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return /^(127\.|::1$|::ffff:127\.)/.test(request.ip) && !isForwarded(request);
  const sent = Buffer.from(bearerTokenOf(request) ?? '');
  const expected = Buffer.from(token);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** A front proxy on this machine comes from loopback too, for people who do not. */
function isForwarded(request: FastifyRequest): boolean {
  return request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined;
}
