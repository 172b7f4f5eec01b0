import { readContentTag } from '../common/content-tag.ts';
import { ProtocolError } from '../errors/errors.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { RequestOptions } from '../requests/operation-types.ts';
import { openByteStream } from './byte-stream.ts';
import { type Hasher, Sha256 } from './sha256.ts';

export interface DownloadProgress {
  readonly receivedBytes: number;
  /** Bytes of this download; undefined if the service does not say it. */
  readonly totalBytes: number | undefined;
}

export interface DownloadOptions extends CallOptions {
  /** Where to begin, in bytes. */
  readonly start?: number | undefined;
  /** Where to end, in bytes: the position behind the last one. */
  readonly end?: number | undefined;
  /** Fails with `PreconditionError` if the content is no longer the one with this tag. */
  readonly etag?: string | undefined;
  /** Called as the bytes are read. */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /** Milliseconds without a byte after which the rest is requested anew: 60,000 if absent. */
  readonly stallMs?: number | undefined;
  /** Computes the checksum, if there is one; by default in plain JavaScript. */
  readonly createHasher?: (() => Hasher) | undefined;
}

/** A download that has begun. */
export interface Download {
  /** The bytes of this download; undefined if the service does not say it. */
  readonly size: number | undefined;
  /** The bytes of the whole file; undefined if the service does not say it. */
  readonly fullSize: number | undefined;
  readonly contentType: string | null;
  /** The same as long as the bytes are; undefined if the service cannot tell. */
  readonly etag: string | undefined;
  /** The name to save it under. */
  readonly filename: string | undefined;
  /** Can be read once. Reading throws `HoldallError`, at the end `DamagedError` if the checksum is wrong. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Reads everything into memory. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** Reads everything into memory, as UTF-8. */
  text(): Promise<string>;
  /** Ends it without reading the rest. */
  cancel(): Promise<void>;
}

/** Sends the request with these headers. @throws HoldallError */
type SendDownload = (options: RequestOptions) => Promise<Response>;

const DEFAULT_STALL_MS = 60_000;

/**
 * Begins a download.
 * @param findSha256 finds the checksum of the whole file with this tag, in hex, after its last byte
 * @throws HoldallError
 */
export async function openDownload(
  send: SendDownload,
  options: DownloadOptions = {},
  findSha256?: (etag: string) => Promise<string | undefined>,
): Promise<Download> {
  const { start = 0, end, etag, timeoutMs, stallMs = DEFAULT_STALL_MS } = options;
  const ending = new AbortController();
  const signals = options.signal === undefined ? [ending.signal] : [options.signal, ending.signal];
  const signal = AbortSignal.any(signals);
  const call = { signal, timeoutMs, retries: options.retries };
  const isPart = start > 0 || end !== undefined;
  const first = await send({
    ...call,
    headers: {
      ...(isPart ? { range: toRange(start, end) } : {}),
      ...(etag === undefined ? {} : { 'if-match': etag }),
    },
  });
  if (isPart && first.status !== 206) {
    await first.body?.cancel();
    throw new ProtocolError('The service does not send parts of this download.');
  }
  const tag = readContentTag(first);
  const length = readLength(first);
  const last = length === undefined ? undefined : start + length;
  const { createHasher = () => new Sha256() } = options;
  const stream = openByteStream({
    first,
    start,
    end: last,
    isResumable: tag !== undefined && first.headers.get('accept-ranges') !== 'none',
    checksum:
      isPart || tag === undefined || findSha256 === undefined
        ? undefined
        : { hasher: createHasher(), find: () => findSha256(tag) },
    openAt: (offset) => send({ ...call, headers: { range: toRange(offset, last), 'if-match': tag ?? '*' } }),
    stallMs,
    onProgress:
      options.onProgress && ((receivedBytes) => options.onProgress?.({ receivedBytes, totalBytes: length })),
    signal,
    abort: () => ending.abort(),
  });
  return {
    size: length,
    fullSize: readFullSize(first) ?? length,
    contentType: first.headers.get('content-type'),
    etag: tag,
    filename: readFilename(first.headers.get('content-disposition')),
    stream,
    bytes: async () => new Uint8Array(await new Response(stream).arrayBuffer()),
    text: () => new Response(stream).text(),
    cancel: () => stream.cancel(),
  };
}

/** RFC 9110, section 14.1.2: both ends are included. */
function toRange(start: number, end: number | undefined): string {
  return `bytes=${start}-${end === undefined ? '' : end - 1}`;
}

/** The length of the body; undefined where a proxy has compressed it, so that it says nothing. */
function readLength({ headers }: Response): number | undefined {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? undefined : Number(length);
}

function readFullSize({ headers }: Response): number | undefined {
  const size = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  return size === undefined ? undefined : Number(size);
}

/** `filename*` of RFC 6266, section 4.3, which the service always sends. */
function readFilename(header: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header ?? '')?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]*)"/i.exec(header ?? '')?.[1];
}
