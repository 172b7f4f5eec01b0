import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { leaveBodiesRaw, readRawBody } from '../../http/bodies.ts';
import { actorOf } from '../../http/caller.ts';
import type { Server } from '../../http/server.ts';
import { SessionParams } from '../contract.ts';
import type { Uploads } from '../uploads.ts';
import { TUS_PATH, TusEndpoint } from './endpoint.ts';
import { TUS_VERSION } from './request-headers.ts';

/**
 * On every answer, errors included. `Tus-Version` is required on 412 and on the answer to OPTIONS, and
 * harmless elsewhere.
 */
const FIXED_TUS_HEADERS = { 'tus-resumable': TUS_VERSION, 'tus-version': TUS_VERSION };

/**
 * Resumable uploads (tus 1.0.0). Errors are the envelope; successful answers have no body. Both paths accept
 * POST, because a header may name the method.
 *
 * @param baseUrl the origin in `Location`; if empty, `Location` is a path
 */
export function tusRoutes(server: Server, uploads: Uploads, clock: Clock, baseUrl: string): void {
  const endpoint = new TusEndpoint({ ...uploads, clock, baseUrl });

  server.register(async (scope: Server) => {
    leaveBodiesRaw(scope);
    scope.addHook('onSend', async (_request, reply) => void reply.headers(FIXED_TUS_HEADERS));
    const config = { access: 'login', appPassword: 'write' } as const;

    scope.route({
      method: ['OPTIONS', 'POST'],
      url: TUS_PATH,
      config,
      schema: { hide: true },
      handler: (request, reply) => answer(request, reply, undefined),
    });
    scope.route({
      method: ['OPTIONS', 'HEAD', 'PATCH', 'POST', 'DELETE'],
      url: `${TUS_PATH}/:sessionId`,
      config,
      schema: { hide: true, params: SessionParams },
      handler: (request, reply) => answer(request, reply, request.params.sessionId),
    });
  });

  async function answer(request: FastifyRequest, reply: FastifyReply, sessionId: string | undefined) {
    const { status, headers } = await endpoint.answer({
      method: request.method,
      headers: request.headers,
      actor: actorOf(request),
      sessionId,
      body: readRawBody(request),
    });
    return reply.code(status).headers(headers).send();
  }
}
