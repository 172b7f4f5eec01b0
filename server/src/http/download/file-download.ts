import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ByteRange, lengthOf, parseRange } from '../../base/bytes/byte-range.ts';
import type { Instant } from '../../base/clock.ts';
import { toContentType } from '../../base/text/media-type.ts';
import { allowsRange, checkConditions } from './conditional-request.ts';
import { toAttachment } from './content-disposition.ts';
import { ClientLeft, ResponseBody } from './response-body.ts';

/** Bytes that do not change under their tag, as every download route hands them to {@link sendFile}. */
export interface DownloadableFile {
  /** What the client saves it as. */
  readonly name: string;
  /** As stored; what is not fit for a header leaves as `application/octet-stream`. */
  readonly contentType: string | null;
  /** Bytes. */
  readonly size: number;
  /** A strong tag without quotes: the same tag, the same bytes. */
  readonly etag: string;
  readonly modifiedAt: Instant;
  /** Opens a range; the stream is ended or destroyed here. */
  open(range: ByteRange): Promise<Readable>;
  /** Reads a range of at most {@link MAX_READ_BYTES} in one go. */
  read(range: ByteRange): Promise<Buffer>;
}

/** Bytes that are made while they are sent, and whose number is known before. */
export interface DownloadableStream {
  readonly name: string;
  readonly contentType: string;
  /** Bytes. */
  readonly length: number;
  /** Called once, for GET only. The signal ends when the body does, in whatever way. */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export interface DownloadOptions {
  /**
   * Default: `private, no-cache`, so that a browser may keep the bytes and asks every time whether it may
   * show them.
   */
  readonly cacheControl?: string;
  /**
   * Called for a GET that sends bytes, when they are at hand and nothing has left: the last moment to refuse,
   * by throwing, or to set a header.
   */
  readonly beforeBody?: (range: ByteRange) => Promise<void>;
}

/** Up to here a body is read in one go and leaves in one write together with its headers. */
export const MAX_READ_BYTES = 128 * 1_024;

type Headers = Record<string, string | number>;

/**
 * Answers GET and HEAD for a file: whole or one range, and preconditions (RFC 9110, sections 13 and 14).
 * Every download goes through here. Fails as `open` and `read` fail, with nothing of the file in the reply,
 * so that the error handler can answer; a source that fails later cuts the connection.
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

  const part = askedRange(request, file);
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
    if (bytes.byteLength !== length)
      throw new Error(`Read ${bytes.byteLength} bytes where ${length} are stored.`);
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
 * Leaves the bytes to a front proxy (nginx: `X-Accel-Redirect`), which answers ranges and preconditions
 * itself.
 * @param location where the proxy finds them
 */
export function sendByProxy(
  reply: FastifyReply,
  file: Pick<DownloadableFile, 'name' | 'contentType'>,
  location: string,
): FastifyReply {
  const { 'content-length': _proxyCounts, ...headers } = contentHeaders(file.name, file.contentType, 0);
  return reply
    .headers({ ...headers, 'cache-control': 'private, no-cache', 'x-accel-redirect': location })
    .send();
}

/** Answers GET and HEAD with bytes that exist only while they flow: no tag, no ranges. */
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
 * The bytes that {@link sendFile} would send; undefined where it would send none: for HEAD, and where a
 * precondition or the range itself says so.
 */
export function rangeToSend(request: FastifyRequest, file: DownloadableFile): ByteRange | undefined {
  if (request.method !== 'GET' || checkConditions(request.headers, file) !== 'fulfilled') return undefined;
  const part = askedRange(request, file);
  return part === 'unsatisfiable' ? undefined : (part ?? { start: 0, end: file.size - 1 });
}

// Ranges are defined for GET only (RFC 9110, section 14.2); so HEAD tells what a plain GET would.
function askedRange(
  request: FastifyRequest,
  file: DownloadableFile,
): ByteRange | 'unsatisfiable' | undefined {
  const header = request.headers.range;
  if (header === undefined || request.method !== 'GET' || !allowsRange(request.headers, file))
    return undefined;
  return parseRange(header, file.size);
}

// Whatever the type says: saved, not shown; not guessed at; and without rights should somebody show it after
// all.
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
  // Fastify's own HEAD routes overwrite the length for any payload but a stream.
  return request.method === 'HEAD' ? reply.send(Readable.from([])) : reply.send();
}

// Not through Fastify's own way with streams: that cannot tell when a chunk's memory is free again, and new
// memory for every chunk costs more than reading and sending it (tried: 1.5 s of work for 1 GiB instead of
// 0.8).
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
    if (error instanceof ClientLeft) log.info({ requestId }, error.message);
    else log.warn({ requestId, err: error }, 'a download was cut');
  }
  return reply;
}
