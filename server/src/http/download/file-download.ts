import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ByteRange, lengthOf, parseRange } from '../../base/bytes/byte-range.ts';
import { freeChunk } from '../../base/bytes/byte-streams.ts';
import type { Instant } from '../../base/clock.ts';
import { toHttpDate } from '../../base/dates.ts';
import { toContentType } from '../../base/text/media-type.ts';
import { allowsRange, checkConditions, type Validators } from './conditional-request.ts';
import { toAttachment } from './content-disposition.ts';
import { ClientDisconnected, ResponseBody } from './response-body.ts';

/** A file for {@link sendFile}. Files with the same etag must have the same bytes. */
export interface DownloadableFile {
  /** The name under which the client saves it. */
  readonly name: string;
  /** The stored type. If it is not valid in a header, `application/octet-stream` is sent instead. */
  readonly contentType: string | null;
  /** Bytes. */
  readonly size: number;
  /** A strong entity tag, without quotes. */
  readonly etag: string;
  readonly modifiedAt: Instant;
  /** Opens a range. {@link sendFile} reads the stream to its end or destroys it. */
  open(range: ByteRange): Promise<Readable>;
  /** Reads a range of at most {@link MAX_READ_BYTES} into memory that {@link sendFile} may free. */
  read(range: ByteRange): Promise<Buffer>;
}

/** Bytes that are generated while they are sent. Their length is known in advance. */
export interface DownloadableStream {
  readonly name: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /**
   * A strong entity tag, without quotes. Ranges with the same tag must be parts of the same bytes. Undefined
   * if the bytes can be sent only as a whole.
   */
  readonly etag: string | undefined;
  /** Called once, for GET only. The signal is aborted when the response has ended, successfully or not. */
  open(range: ByteRange, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export interface DownloadOptions {
  /** Default: {@link DEFAULT_CACHE_CONTROL}. */
  readonly cacheControl?: string;
  /**
   * Called for a GET that sends bytes, after they were opened and before anything is sent. It can set
   * headers, or reject the request by throwing.
   */
  readonly beforeBody?: (range: ByteRange) => Promise<void>;
}

/** Bodies up to this size are read into memory and sent in one write together with the headers. */
export const MAX_READ_BYTES = 128 * 1_024;

/** For smaller bodies, freeing the memory is not worth the call. */
const MIN_FREED_BYTES = 16 * 1_024;

/**
 * A browser may cache the bytes, but must revalidate them every time. A proxy must not compress them, because
 * compressed bytes would need another tag (RFC 9110, section 7.7).
 */
export const DEFAULT_CACHE_CONTROL = 'private, no-cache, no-transform';

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
  const { status, headers, range } = planResponse(request, file, options);
  if (range === undefined || request.method === 'HEAD') return sendNothing(request, reply, status, headers);
  const length = lengthOf(range);
  if (length <= MAX_READ_BYTES) {
    const bytes = length === 0 ? Buffer.alloc(0) : await file.read(range);
    if (bytes.byteLength !== length) throw new Error(`Read ${bytes.byteLength} bytes instead of ${length}.`);
    await options.beforeBody?.(range);
    // Emitted when the system has copied the bytes. Without it, see `freeChunk`.
    if (length >= MIN_FREED_BYTES) reply.raw.once('finish', () => freeChunk(bytes));
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

/** A response that the front proxy completes by sending the bytes. */
interface ProxiedResponse {
  readonly headers: Headers;
  readonly range: ByteRange;
}

/** Ranges that this service and nginx interpret the same way. */
const PLAIN_RANGE = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/;

/**
 * The response whose bytes a front proxy can send. Preconditions are evaluated here, so the service itself
 * sends every response without bytes. Undefined when the service must also send the bytes: the proxy would
 * evaluate these headers again, without knowing the file's tag or date.
 */
export function planProxied(
  request: FastifyRequest,
  file: DownloadableFile,
  options: DownloadOptions = {},
): ProxiedResponse | undefined {
  const {
    'if-match': match,
    'if-unmodified-since': unmodified,
    range,
    'if-range': ifRange,
  } = request.headers;
  if (request.method === 'HEAD' || match !== undefined || unmodified !== undefined) return undefined;
  if (range !== undefined && !PLAIN_RANGE.test(range)) return undefined;
  if (ifRange !== undefined && ifRange !== `"${file.etag}"`) return undefined;
  const plan = planResponse(request, file, options);
  if (plan.range === undefined || lengthOf(plan.range) === 0) return undefined;
  // nginx would answer differently to a range that is ignored here.
  if (range !== undefined && plan.status !== 206) return undefined;
  const {
    'content-length': _length,
    'content-range': _part,
    'accept-ranges': accepted,
    ...rest
  } = plan.headers;
  // nginx adds this header to whole files only.
  const headers = plan.status === 206 ? { ...rest, 'accept-ranges': accepted ?? 'bytes' } : rest;
  return { headers, range: plan.range };
}

/** Answers GET and HEAD with generated bytes, and with a range of them if they have an etag. */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  stream: DownloadableStream,
  options: DownloadOptions = {},
): Promise<FastifyReply> {
  const { etag } = stream;
  const { status, headers, range } =
    etag === undefined ? planWhole(stream, options) : planResponse(request, { ...stream, etag }, options);
  if (range === undefined || request.method === 'HEAD') return sendNothing(request, reply, status, headers);
  const end = new AbortController();
  try {
    return await sendBody(
      request,
      reply.code(status),
      headers,
      stream.open(range, end.signal),
      lengthOf(range),
    );
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

interface PlannedResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The bytes of the body; undefined for none. */
  readonly range: ByteRange | undefined;
}

type Described = Pick<DownloadableFile, 'name' | 'contentType' | 'size'>;

/** Evaluates the preconditions and the range (RFC 9110, sections 13 and 14). */
function planResponse(
  request: FastifyRequest,
  file: Described & Validators,
  options: DownloadOptions,
): PlannedResponse {
  const { name, contentType, size, etag, modifiedAt } = file;
  const cacheHeaders = { etag: `"${etag}"`, 'cache-control': options.cacheControl ?? DEFAULT_CACHE_CONTROL };
  const condition = checkConditions(request.headers, file);
  if (condition === 'not-modified') return { status: 304, headers: cacheHeaders, range: undefined };
  if (condition === 'failed') return { status: 412, headers: { 'content-length': 0 }, range: undefined };

  const part = requestedRange(request, file);
  if (part === 'unsatisfiable') {
    const headers = { 'content-range': `bytes */${size}`, 'content-length': 0 };
    return { status: 416, headers, range: undefined };
  }
  const range = part ?? { start: 0, end: size - 1 };
  const headers: Headers = {
    ...contentHeaders(name, contentType, lengthOf(range)),
    ...cacheHeaders,
    'accept-ranges': 'bytes',
  };
  if (modifiedAt !== undefined) headers['last-modified'] = toHttpDate(modifiedAt);
  if (part === undefined) return { status: 200, headers, range };
  headers['content-range'] = `bytes ${part.start}-${part.end}/${size}`;
  return { status: 206, headers, range };
}

/** For bytes that can be sent only as a whole, and that have no validators. */
function planWhole({ name, contentType, size }: Described, options: DownloadOptions): PlannedResponse {
  const headers = {
    ...contentHeaders(name, contentType, size),
    'cache-control': options.cacheControl ?? DEFAULT_CACHE_CONTROL,
    'accept-ranges': 'none',
  };
  return { status: 200, headers, range: { start: 0, end: size - 1 } };
}

// Ranges are defined for GET only (RFC 9110, section 14.2), so HEAD ignores them.
function requestedRange(
  request: FastifyRequest,
  file: Described & Validators,
): ByteRange | 'unsatisfiable' | undefined {
  const header = request.headers.range;
  if (header === undefined || request.method !== 'GET' || !allowsRange(request.headers, file))
    return undefined;
  return parseRange(header, file.size);
}

// Uploaded content must never run as a page of this origin. So browsers save it instead of showing it, do not
// guess its type, and sandbox it if they show it after all.
export function contentHeaders(name: string, contentType: string | null, length: number): Headers {
  return {
    'content-type': toContentType(contentType),
    'content-length': length,
    'content-disposition': toAttachment(name),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  };
}

export function sendNothing(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  headers: Headers,
): FastifyReply {
  reply.code(status).headers(headers);
  // Fastify's automatic HEAD routes overwrite Content-Length unless the payload is a stream.
  return request.method === 'HEAD' ? reply.send(Readable.from([])) : reply.send();
}

// Replaces Fastify's way of sending streams, which cannot tell when the memory of a chunk may be reused.
// Allocating memory for every chunk costs more than reading and sending it (measured: 1.5 s of CPU time for
// 1 GiB instead of 0.8 s).
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
