import type { FastifyInstance } from 'fastify';
import { Failure } from '../../base/failure.ts';

/** Bodies other than file content (contract, section 11). */
export const MAX_BODY_BYTES = 1024 ** 2;

/**
 * JSON and forms are read whole, up to the limit. Multipart is left on the wire for `file-part.ts`, and a route that
 * takes raw bytes registers its own parser in its own scope.
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
