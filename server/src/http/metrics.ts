import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { Failure } from '../base/failure.ts';
import { bearerTokenOf } from './caller.ts';
import { RequestDurations } from './request-durations.ts';

/** `GET /metrics` in Prometheus' text form: for loopback, or for whoever has the token (contract, section 12). */
export function exposeMetrics(server: FastifyInstance, token: string | undefined): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'holdall_' });
  const durations = new RequestDurations();
  server.addHook('onResponse', (request, reply, done) => {
    const { url = 'none' } = request.routeOptions;
    durations.observe(request.method, url, reply.statusCode, reply.elapsedTime / 1_000);
    done();
  });
  server.get('/metrics', { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request, token)) throw new Failure('not-found', 'There is nothing at this address.');
    return reply.type(registry.contentType).send(`${await registry.metrics()}${durations.toText()}`);
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
