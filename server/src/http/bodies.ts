import type { FastifyInstance, FastifyRequest } from 'fastify';
import { chunksOf } from '../base/bytes/byte-streams.ts';
import { Failure } from '../base/failure.ts';

/** Bodies other than file content (contract, section 11). */
export const MAX_BODY_BYTES = 1024 ** 2;

/**
 * JSON and forms are read whole, up to the limit. Multipart is left on the wire for `multipart.ts`, and a
 * route that takes raw bytes registers its own parser in its own scope.
 */
export function parseBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    // Clients that name the type and send nothing mean nothing.
    if (text === '') return done(null, undefined);
    try {
      done(null, JSON.parse(String(text)));
    } catch (error) {
      done(new Failure('invalid', 'The body is not valid JSON.', { cause: error }), undefined);
    }
  });
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(text))));
    },
  );
  server.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined));
}

/** In this scope bodies are left on the wire, whatever their type. */
export function leaveBodiesRaw(scope: FastifyInstance): void {
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
