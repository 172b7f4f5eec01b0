import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SECOND } from '../base/clock.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route may wait for an event if its caller asks for it. */
    isLongPoll?: true;
  }
}

interface RunningRequest {
  readonly request: FastifyRequest;
  readonly isAnswered: () => boolean;
  /** When a tick first found the request completely received but not yet answered. */
  waitingSince: number | undefined;
}

/** Requests are checked this often, or more often if the limit is short. */
const MAX_TICK_MS = SECOND;

/**
 * Calls the listener once for each request that has waited longer than the limit for the head of its
 * response, while it is still waiting. Receiving the body and sending the response do not count, because they
 * depend on the client.
 * @param limitMs 0 for none
 */
export function onSlowRequest(
  server: FastifyInstance,
  limitMs: number,
  listener: (request: FastifyRequest, seconds: number) => void,
): void {
  if (limitMs === 0) return;
  const running = new Set<RunningRequest>();
  server.addHook('onRequest', (request, { raw }, done) => {
    if (request.routeOptions.config.isLongPoll !== true) {
      const isAnswered = () => raw.headersSent;
      const entry: RunningRequest = { request, isAnswered, waitingSince: undefined };
      running.add(entry);
      raw.once('close', () => running.delete(entry));
    }
    done();
  });
  const tick = () => {
    const now = performance.now();
    for (const entry of running) {
      if (entry.isAnswered()) running.delete(entry);
      else if (!entry.request.raw.complete) continue;
      else if (entry.waitingSince === undefined) entry.waitingSince = now;
      else if (now - entry.waitingSince >= limitMs) {
        running.delete(entry);
        listener(entry.request, (now - entry.waitingSince) / SECOND);
      }
    }
  };
  const timer = setInterval(tick, Math.min(MAX_TICK_MS, limitMs / 4)).unref();
  server.addHook('onClose', async () => clearInterval(timer));
}
