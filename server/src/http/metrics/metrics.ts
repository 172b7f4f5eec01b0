import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { Failure } from '../../base/failure.ts';
import { bearerTokenOf } from '../caller.ts';
import type { RequestDurations } from './request-durations.ts';

/**
 * `GET /metrics` in Prometheus' text format, for loopback or for callers that send the token if there is one.
 * The library that measures the process is loaded at the first such request, so its metrics begin then.
 */
export function exposeMetrics(
  server: FastifyInstance,
  durations: RequestDurations,
  token: string | undefined,
): void {
  let ofProcess: Promise<Registry> | undefined;
  server.get(
    '/metrics',
    { config: { access: 'public', appPassword: 'read' }, schema: { hide: true } },
    async (request, reply) => {
      if (!mayRead(request, token)) throw new Failure('not-found', 'There is nothing at this address.');
      ofProcess ??= import('./process-metrics.ts').then((module) => module.collectMetricsOfProcess());
      const registry = await ofProcess;
      return reply
        .type(registry.contentType)
        .send(`${(await registry.metrics()).trimEnd()}\n\n${durations.toText()}`);
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
