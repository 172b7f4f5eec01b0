import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ByteRange, lengthOf, parseRange } from '../../base/bytes/byte-range.ts';
import type { Instant } from '../../base/clock.ts';
import { toContentType } from '../../base/text/media-type.ts';
import { allowsRange, checkConditions } from './conditional-request.ts';
import { toAttachment } from './content-disposition.ts';
import { ClientDisconnected, ResponseBody } from './response-body.ts';

/** A file for {@link sendFile}. Bytes with the same etag never change. */
export interface DownloadableFile {
  /** The name under which the client saves it. */
  readonly name: string;
  /** The stored type; sent as `application/octet-stream` if it is not valid in a header. */
  readonly contentType: string | null;
  /** Bytes. */
  readonly size: number;
  /** A strong entity tag, without quotes. */
  readonly etag: string;
  readonly modifiedAt: Instant;
  /** Opens a range. {@link sendFile} reads the stream to its end or destroys it. */
  open(range: ByteRange): Promise<Readable>;
  /** Reads a range of at most {@link MAX_READ_BYTES} into memory. */
  read(range: ByteRange): Promise<Buffer>;
}

/** Bytes that are generated while they are sent, with a length that is known before. */
export interface DownloadableStream {
  readonly name: string;
  readonly contentType: string;
  /** Bytes. */
  readonly length: number;
  /** Called once, for GET only. The signal is aborted when the response has ended, successfully or not. */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export interface DownloadOptions {
  /** Default: `private, no-cache`, so that a browser may cache the bytes but revalidates them every time. */
  readonly cacheControl?: string;
  /**
   * Called for a GET that sends bytes, after they were opened and before anything is sent. It may still set a
   * header, or reject the request by throwing.
   */
  readonly beforeBody?: (range: ByteRange) => Promise<void>;
}

/** Bodies up to this size are read into memory and sent in one write together with the headers. */
export const MAX_READ_BYTES = 128 * 1_024;

type Headers = Record<string, string | number>;

/**
 * Answers GET and HEAD for a file with the whole file or one range, and evaluates preconditions (RFC 9110,
 * sections 13 and 14). All downloads of stored files use it.
 *
 * Errors of `open` and `read` are thrown before anything is sent, so that the error handler can respond. An
 * error of the stream after that closes the connection.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: DownloadableFile,
  options: DownloadOptions = {},
): Promise<FastifyReply> {
  const cacheHeaders = {
    etag: `"${file.etag}"`,
    'cache-control': options.cacheControl ?? 'private, no-cache',
  };
  const condition = checkConditions(request.headers, file);
  if (condition === 'not-modified') return sendNothing(request, reply, 304, cacheHeaders);
  if (condition === 'failed') return sendNothing(request, reply, 412, { 'content-length': 0 });

  const part = requestedRange(request, file);
  if (part === 'unsatisfiable') {
    return sendNothing(request, reply, 416, { 'content-range': `bytes */${file.size}`, 'content-length': 0 });
  }
  const range = part ?? { start: 0, end: file.size - 1 };
  const length = lengthOf(range);
  const headers: Headers = {
    ...contentHeaders(file.name, file.contentType, length),
    ...cacheHeaders,
    'last-modified': new Date(file.modifiedAt).toUTCString(),
    'accept-ranges': 'bytes',
  };
  if (part !== undefined) headers['content-range'] = `bytes ${part.start}-${part.end}/${file.size}`;
  const status = part === undefined ? 200 : 206;

  if (request.method === 'HEAD') return sendNothing(request, reply, status, headers);
  if (length <= MAX_READ_BYTES) {
    const bytes = length === 0 ? Buffer.alloc(0) : await file.read(range);
    if (bytes.byteLength !== length) throw new Error(`Read ${bytes.byteLength} bytes instead of ${length}.`);
    await options.beforeBody?.(range);
    return reply.code(status).headers(headers).send(bytes);
  }
  const source = await file.open(range);
  try {
    await options.beforeBody?.(range);
  } catch (error) {
    source.destroy();
    throw error;
  }
  return sendBody(request, reply.code(status), headers, source, length);
}

/**
 * Lets the reverse proxy send the bytes (nginx: `X-Accel-Redirect`). The proxy handles ranges and
 * preconditions itself.
 * @param location the internal URL of the bytes on the proxy
 */
export function sendByProxy(
  reply: FastifyReply,
  file: Pick<DownloadableFile, 'name' | 'contentType'>,
  location: string,
): FastifyReply {
  const { 'content-length': _setByProxy, ...headers } = contentHeaders(file.name, file.contentType, 0);
  return reply
    .headers({ ...headers, 'cache-control': 'private, no-cache', 'x-accel-redirect': location })
    .send();
}

/** Answers GET and HEAD with generated bytes, without an etag and without ranges. */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  stream: DownloadableStream,
  options: DownloadOptions = {},
): Promise<FastifyReply> {
  const headers: Headers = {
    ...contentHeaders(stream.name, stream.contentType, stream.length),
    'cache-control': options.cacheControl ?? 'private, no-cache',
    'accept-ranges': 'none',
  };
  if (request.method === 'HEAD') return sendNothing(request, reply, 200, headers);
  const end = new AbortController();
  try {
    return await sendBody(request, reply.code(200), headers, stream.open(end.signal), stream.length);
  } finally {
    end.abort();
  }
}

/**
 * The range that {@link sendFile} would send. Undefined when it would send no bytes: for HEAD, for a failed
 * precondition or an unmodified file, and for an unsatisfiable range.
 */
export function rangeToSend(request: FastifyRequest, file: DownloadableFile): ByteRange | undefined {
  if (request.method !== 'GET' || checkConditions(request.headers, file) !== 'fulfilled') return undefined;
  const part = requestedRange(request, file);
  return part === 'unsatisfiable' ? undefined : (part ?? { start: 0, end: file.size - 1 });
}

// Ranges are defined for GET only (RFC 9110, section 14.2), so HEAD ignores them.
function requestedRange(
  request: FastifyRequest,
  file: DownloadableFile,
): ByteRange | 'unsatisfiable' | undefined {
  const header = request.headers.range;
  if (header === undefined || request.method !== 'GET' || !allowsRange(request.headers, file))
    return undefined;
  return parseRange(header, file.size);
}

// Uploaded content must never run as a page of this origin: it is saved and not shown, its type is not
// guessed, and it is sandboxed in case a browser shows it after all.
function contentHeaders(name: string, contentType: string | null, length: number): Headers {
  return {
    'content-type': toContentType(contentType),
    'content-length': length,
    'content-disposition': toAttachment(name),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  };
}

function sendNothing(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  headers: Headers,
): FastifyReply {
  reply.code(status).headers(headers);
  // Fastify's automatic HEAD routes overwrite Content-Length unless the payload is a stream.
  return request.method === 'HEAD' ? reply.send(Readable.from([])) : reply.send();
}

// Fastify's own sending of streams cannot tell when the memory of a chunk may be reused, and allocating
// memory for every chunk costs more than reading and sending it (measured: 1.5 s of CPU time for 1 GiB
// instead of 0.8 s).
async function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Headers,
  source: Readable | AsyncIterable<Uint8Array>,
  length: number,
): Promise<FastifyReply> {
  const body = new ResponseBody({
    response: reply.raw,
    length,
    source,
    sendHead: () => {
      reply.headers(headers).hijack();
      reply.raw.statusCode = reply.statusCode;
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
    },
  });
  try {
    await pipeline(source, body);
  } catch (error) {
    if (!reply.sent) throw error;
    const { id: requestId, log } = request;
    if (error instanceof ClientDisconnected) log.info({ requestId }, error.message);
    else log.warn({ requestId, err: error }, 'a download was interrupted');
  }
  return reply;
}
