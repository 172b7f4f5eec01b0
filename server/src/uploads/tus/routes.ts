import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TProperties, Type } from 'typebox';
import type { Clock } from '../../base/clock.ts';
import type { Access } from '../../http/access.ts';
import { actorOf } from '../../http/caller.ts';
import { leaveBodiesRaw, readRawBody } from '../../http/parsing/bodies.ts';
import type { Server } from '../../http/server.ts';
import { SessionParams } from '../contract.ts';
import type { Uploads } from '../uploads.ts';
import { TusEndpoint, type TusRequest } from './endpoint.ts';
import { TUS_VERSION } from './request-headers.ts';

const TUS_PATH = '/api/v2/files/tus';

/**
 * Sent with every answer, errors included. `Tus-Version` is required on 412 and on the answer to OPTIONS, and
 * harmless elsewhere.
 */
const FIXED_TUS_HEADERS = { 'tus-resumable': TUS_VERSION, 'tus-version': TUS_VERSION };

/** A route that creates uploads, and the destination of their files. */
export interface TusPlace {
  /** The path of the route. */
  readonly url: string;
  /** The schemas of the parameters in the path. */
  readonly params: TProperties;
  readonly access: Access;
  /** The destination of the uploads of a request, and the path at which they are created. @throws Failure */
  readonly findPlace: (request: FastifyRequest) => Promise<Pick<TusRequest, 'destination' | 'path'>>;
}

/** Uploads of the caller. */
export function ownTusPlace(uploads: Uploads): TusPlace {
  return {
    url: TUS_PATH,
    params: {},
    access: 'login',
    findPlace: async (request) => ({ destination: uploads.toOwnDrive(actorOf(request)), path: TUS_PATH }),
  };
}

/**
 * Resumable uploads (tus 1.0.0). Errors are the envelope; successful answers have no body. Both paths accept
 * POST, because a header may name the method.
 *
 * @param parts.baseUrl the origin in `Location`; if empty, `Location` is a path
 */
export function tusRoutes(
  server: Server,
  parts: { uploads: Uploads; clock: Clock; baseUrl: string },
  { url, params, access, findPlace }: TusPlace,
): void {
  const endpoint = new TusEndpoint({ ...parts.uploads, ...parts });

  server.register(async (scope: Server) => {
    leaveBodiesRaw(scope);
    scope.addHook('onSend', async (_request, reply) => void reply.headers(FIXED_TUS_HEADERS));
    const config = { access, appPassword: 'write' } as const;

    scope.route({
      method: ['OPTIONS', 'POST'],
      url,
      config,
      schema: { hide: true, params: Type.Object(params) },
      handler: (request, reply) => answer(request, reply, undefined),
    });
    scope.route({
      method: ['OPTIONS', 'HEAD', 'PATCH', 'POST', 'DELETE'],
      url: `${url}/:sessionId`,
      config,
      schema: { hide: true, params: Type.Object({ ...params, ...SessionParams.properties }) },
      handler: (request, reply) => {
        const { sessionId } = request.params as Static<typeof SessionParams>;
        return answer(request, reply, sessionId);
      },
    });
  });

  async function answer(request: FastifyRequest, reply: FastifyReply, sessionId: string | undefined) {
    const { status, headers } = await endpoint.answer({
      method: request.method,
      headers: request.headers,
      ...(await findPlace(request)),
      sessionId,
      body: readRawBody(request),
    });
    return reply.code(status).headers(headers).send();
  }
}
