import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientSignalOf } from '../client-signal.ts';
import { checkConditions } from './conditional-request.ts';
import { contentHeaders, sendNothing } from './file-download.ts';

/** Bytes that are generated for the request, unless the client already has them. */
export interface GeneratedFile {
  /** The name under which the client saves it. */
  readonly name: string;
  readonly contentType: string;
  /** A strong entity tag, without quotes. */
  readonly etag: string;
  readonly cacheControl: string;
  /**
   * The callee keeps the memory, so the caller must not free it. The signal aborts when the client
   * disconnects.
   */
  load(signal: AbortSignal): Promise<Buffer>;
}

/** Answers GET and HEAD. Ranges are not supported: such files are small. */
export async function sendGenerated(
  request: FastifyRequest,
  reply: FastifyReply,
  file: GeneratedFile,
): Promise<FastifyReply> {
  const { name, contentType, etag, cacheControl } = file;
  const cacheHeaders = { etag: `"${etag}"`, 'cache-control': cacheControl };
  const condition = checkConditions(request.headers, { etag });
  if (condition === 'not-modified') return sendNothing(request, reply, 304, cacheHeaders);
  if (condition === 'failed') return sendNothing(request, reply, 412, { 'content-length': 0 });
  const bytes = await file.load(clientSignalOf(reply));
  const headers = {
    ...contentHeaders(name, contentType, bytes.length),
    ...cacheHeaders,
    'accept-ranges': 'none',
  };
  if (request.method === 'HEAD') return sendNothing(request, reply, 200, headers);
  return reply.code(200).headers(headers).send(bytes);
}
