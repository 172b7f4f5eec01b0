import type { FastifyInstance, FastifyRequest } from 'fastify';
import { chunksOf } from '../../base/bytes/byte-streams.ts';
import { Failure } from '../../base/failure.ts';
import { expectFileContent } from '../limits/slow-bodies.ts';
import { parseForm, parseJson } from './request-text.ts';

/** The limit for bodies other than file content. */
export const MAX_BODY_BYTES = 1024 ** 2;

/**
 * Parses JSON and URL-encoded forms, which are read completely, up to the limit. Multipart bodies are left
 * unread for `multipart.ts`. Routes that take raw bytes call {@link leaveBodiesRaw} in their own scope.
 */
export function parseBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const parsers = { 'application/json': parseJson, 'application/x-www-form-urlencoded': parseForm };
  for (const [type, parse] of Object.entries(parsers)) {
    server.addContentTypeParser(type, { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) =>
      parse(bytes),
    );
  }
  server.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined));
}

/** Leaves bodies of all types in this scope unread. */
export function leaveBodiesRaw(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
}

/**
 * Reads the chunks of file content as they arrive.
 * @throws Failure `invalid` when the connection breaks before the end of the body; `too-slow`
 */
export async function* readRawBody(request: FastifyRequest): AsyncGenerator<Uint8Array> {
  expectFileContent(request);
  yield* chunksOf(request.raw, toInterruption);
}

/** The error for a body that breaks off. */
export function toInterruption(error: unknown): Failure {
  return error instanceof Failure
    ? error
    : new Failure('invalid', 'The upload was interrupted.', { cause: error });
}
