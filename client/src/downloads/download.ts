import { readContentTag } from '../common/content-tag.ts';
import { ProtocolError } from '../errors/errors.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { RequestOptions } from '../requests/operation-types.ts';
import { openByteStream } from './byte-stream.ts';
import { type Hasher, Sha256 } from './sha256.ts';

export interface DownloadProgress {
  readonly receivedBytes: number;
  /** The size of this download in bytes; undefined if the service does not tell it. */
  readonly totalBytes: number | undefined;
}

export interface DownloadOptions extends CallOptions {
  /** Where to begin, in bytes. */
  readonly start?: number | undefined;
  /** Where to end, in bytes: the position after the last byte. */
  readonly end?: number | undefined;
  /** Fails with `PreconditionError` if the content no longer has this ETag. */
  readonly etag?: string | undefined;
  /** Called as the bytes are read. */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /** After this many milliseconds without a byte, the rest is requested again: 60,000 if absent. */
  readonly stallMs?: number | undefined;
  /** Creates the hasher for the checksum; by default, one in plain JavaScript. */
  readonly createHasher?: (() => Hasher) | undefined;
}

/** A started download. */
export interface Download {
  /** The size of this download in bytes; undefined if the service does not tell it. */
  readonly size: number | undefined;
  /** The size of the whole file in bytes; undefined if the service does not tell it. */
  readonly fullSize: number | undefined;
  readonly contentType: string | null;
  /** Stays the same as long as the bytes do; undefined if the service cannot tell. */
  readonly etag: string | undefined;
  /** The name to save it under. */
  readonly filename: string | undefined;
  /** Can be read once. Reading throws `HoldallError`: at the end, `DamagedError` if the checksum is wrong. */
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
 * @param findSha256 finds the checksum of the whole file with this ETag, in hex; called after the last byte
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

/** A byte range (RFC 9110, section 14.1.2). The header includes both ends. */
function toRange(start: number, end: number | undefined): string {
  return `bytes=${start}-${end === undefined ? '' : end - 1}`;
}

/** The length of the body; undefined if a proxy has compressed it, because then it means nothing. */
function readLength({ headers }: Response): number | undefined {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? undefined : Number(length);
}

function readFullSize({ headers }: Response): number | undefined {
  const size = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  return size === undefined ? undefined : Number(size);
}

/** Reads `filename*` (RFC 6266, section 4.3), which the service always sends. */
function readFilename(header: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header ?? '')?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]*)"/i.exec(header ?? '')?.[1];
}
