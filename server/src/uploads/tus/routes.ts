import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { actorOf, toAddressInDrive } from '../../http/chosen-drive.ts';
import { mount } from '../../http/operation.ts';
import { leaveBodiesRaw, readRawBody } from '../../http/parsing/bodies.ts';
import type { Server } from '../../http/server.ts';
import { ownTusOperations } from '../contract.ts';
import type { UploadDestination } from '../upload-destination.ts';
import type { Uploads } from '../uploads.ts';
import { TusEndpoint } from './endpoint.ts';
import { fillAddress, type TusOperations } from './operations.ts';
import { TUS_VERSION } from './request-headers.ts';

/**
 * Sent with every response, including errors. `Tus-Version` is required with 412 and in the response to
 * OPTIONS, and harmless elsewhere.
 */
const FIXED_TUS_HEADERS = { 'tus-resumable': TUS_VERSION, 'tus-version': TUS_VERSION };

/** The destination of an upload, as its address names it. */
interface FoundPlace {
  readonly destination: UploadDestination;
  /** The parameters of the address at which uploads are created. */
  readonly params: Readonly<Record<string, string>>;
}

/** The operations for uploads with one kind of destination. */
interface TusPlace {
  readonly operations: TusOperations;
  /** @throws Failure */
  readonly findPlace: (request: FastifyRequest) => Promise<FoundPlace>;
}

/** Uploads into the drive that the request chooses. */
export function ownTusPlace(uploads: Uploads): TusPlace {
  return {
    operations: ownTusOperations,
    findPlace: async (request) => ({ destination: uploads.toOwnDrive(actorOf(request)), params: {} }),
  };
}

/**
 * Resumable uploads (tus 1.0.0). Errors have the usual envelope; successful responses have no body.
 *
 * @param parts.baseUrl the origin in `Location`; if empty, `Location` is a path
 */
export function tusRoutes(
  server: Server,
  parts: { uploads: Uploads; clock: Clock; baseUrl: string },
  { operations, findPlace }: TusPlace,
): void {
  const endpoint = new TusEndpoint({ ...parts.uploads, ...parts });

  server.register(async (scope: Server) => {
    leaveBodiesRaw(scope);
    scope.addHook('onSend', async (_request, reply) => void reply.headers(FIXED_TUS_HEADERS));
    for (const each of operations.all) {
      mount(scope, each, async (request, reply) => {
        const { destination, params } = await findPlace(request);
        const uploads = fillAddress(operations.address, params);
        const { status, headers } = await endpoint.answer({
          method: request.method,
          headers: request.headers,
          destination,
          addressOf: (sessionId) => toAddressInDrive(request, `${uploads}/${sessionId}`),
          // Present if the address is that of one upload: its schema requires it.
          sessionId: (request.params as { sessionId?: string }).sessionId,
          body: readRawBody(request),
        });
        return reply.code(status).headers(headers).send();
      });
    }
  });
}
