import type { FastifyRequest } from 'fastify';
import { chunksOf } from '../../base/bytes/byte-streams.ts';
import { Failure } from '../../base/failure.ts';
import type { Server } from '../server.ts';

/** In this scope bodies are left on the wire, whatever their type. */
export function leaveBodiesRaw(scope: Server): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
}

/**
 * The bytes of the body as they come.
 * @throws Failure `invalid` when the body breaks off
 */
export async function* readRawBody(request: FastifyRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* chunksOf(request.raw);
  } catch (error) {
    throw new Failure('invalid', 'The upload broke off.', { cause: error });
  }
}
