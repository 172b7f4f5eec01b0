// One upload by the tus protocol 1.0.0 (https://tus.io/protocols/resumable-upload), chunk by chunk.
//
// Every chunk has a checksum, so the service accepts it as a whole or not at all. After an error, the service
// says where to continue. A failed chunk is halved, so that a poor connection also makes progress.
import { DamagedError, HoldallError, ProtocolError } from '../errors/errors.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { RequestOptions } from '../requests/operation-types.ts';
import { backoffMs, wait } from '../requests/waiting.ts';
import { type Chunk, ChunkReader, toBase64 } from './chunk-reader.ts';
import type { PieceSource } from './upload-source.ts';

/** The operations for an upload: those of the drive or of a folder link. */
export interface TusEndpoint {
  create(headers: Readonly<Record<string, string>>, options: CallOptions): Promise<Response>;
  head(sessionId: string, options: RequestOptions): Promise<Response>;
  patch(sessionId: string, body: Uint8Array<ArrayBuffer>, options: RequestOptions): Promise<Response>;
}

export interface UploadProgress {
  /** The number of bytes that the service has stored. */
  readonly sentBytes: number;
  readonly totalBytes: number;
}

export interface SendOptions extends CallOptions {
  /** Called once at the beginning, and whenever bytes have been stored. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** The maximum number of bytes per request: 8 MiB if absent. */
  readonly chunkBytes?: number | undefined;
}

const DEFAULT_CHUNK_BYTES = 8 * 1_024 * 1_024;
const MIN_CHUNK_BYTES = 64 * 1_024;

/** After this many successful chunks in a row, they become larger again, up to the requested size. */
const SUCCESSES_TO_GROW = 4;

/** After more failures than this without progress, about three minutes, the last error is thrown. */
const MAX_FAILURES = 10;

export const TUS_HEADERS = { 'tus-resumable': '1.0.0' } as const;

/**
 * Creates an upload and returns its session.
 * @throws HoldallError
 */
export async function createUpload(
  endpoint: TusEndpoint,
  size: number,
  metadata: Readonly<Record<string, string | undefined>>,
  options: CallOptions,
): Promise<string> {
  const pairs = Object.entries(metadata)
    .filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '')
    .map(([key, value]) => `${key} ${toBase64(new TextEncoder().encode(value))}`);
  const headers = { ...TUS_HEADERS, 'upload-length': `${size}`, 'upload-metadata': pairs.join(',') };
  const response = await endpoint.create(headers, options);
  const sessionId = response.headers.get('location')?.split('?')[0]?.split('/').at(-1);
  if (sessionId === undefined || sessionId === '') throw new ProtocolError('The new upload has no address.');
  return sessionId;
}

/**
 * Sends what the service does not have yet, until it has everything.
 * @throws HoldallError if the upload cannot be continued, or if there was no progress for some minutes
 */
export async function sendBytes(
  endpoint: TusEndpoint,
  sessionId: string,
  source: PieceSource,
  options: SendOptions & {
    /** The known offset of the service. By default, it is requested. */
    readonly offset?: number | undefined;
  },
): Promise<void> {
  const { signal, onProgress, chunkBytes: maxChunkBytes = DEFAULT_CHUNK_BYTES } = options;
  const report = (sentBytes: number) => onProgress?.({ sentBytes, totalBytes: source.size });
  const call = { signal, timeoutMs: options.timeoutMs };
  const reader = new ChunkReader(source);
  let { offset } = options;
  let chunkBytes = maxChunkBytes;
  let failures = 0;
  let successes = 0;
  report(offset ?? 0);
  while (offset === undefined || offset < source.size) {
    try {
      offset ??= await findOffset(endpoint, sessionId, source.size, call);
      report(offset);
      while (offset < source.size) {
        const chunk = await reader.read(offset, chunkBytes);
        offset = await sendChunk(endpoint, sessionId, chunk, call);
        reader.release(chunk);
        failures = 0;
        successes += 1;
        if (successes % SUCCESSES_TO_GROW === 0) chunkBytes = Math.min(maxChunkBytes, chunkBytes * 2);
        report(offset);
      }
    } catch (error) {
      failures += 1;
      successes = 0;
      if (!mayContinue(error) || failures > MAX_FAILURES) throw error;
      await wait(backoffMs(failures, error.retryAfterSeconds), signal);
      chunkBytes = Math.max(Math.min(MIN_CHUNK_BYTES, maxChunkBytes), Math.floor(chunkBytes / 2));
      offset = undefined;
    }
  }
}

/**
 * The number of bytes that the service has.
 * @throws HoldallError; `DamagedError` if the upload has another length
 */
export async function findOffset(
  endpoint: Pick<TusEndpoint, 'head'>,
  sessionId: string,
  size: number,
  options: CallOptions,
): Promise<number> {
  const { headers } = await endpoint.head(sessionId, { ...options, retries: 0, headers: TUS_HEADERS });
  const length = readNumber(headers, 'upload-length');
  if (length !== size) throw new DamagedError(`The upload is about ${length} bytes, not about ${size}.`);
  return readNumber(headers, 'upload-offset');
}

async function sendChunk(
  endpoint: TusEndpoint,
  sessionId: string,
  { start, bytes, checksum }: Chunk,
  call: CallOptions,
): Promise<number> {
  const response = await endpoint.patch(sessionId, bytes, {
    ...call,
    // The caller's loop repeats the chunk, after it has requested the offset.
    retries: 0,
    headers: {
      ...TUS_HEADERS,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': `${start}`,
      ...(checksum === undefined ? {} : { 'upload-checksum': `sha256 ${checksum}` }),
    },
  });
  const reached = readNumber(response.headers, 'upload-offset');
  if (reached <= start) throw new ProtocolError(`The upload is at ${reached} after a chunk at ${start}.`);
  return reached;
}

/**
 * Whether the upload can be continued after this error. 423: a newer request has taken over. 460: the bytes
 * were damaged in transit.
 */
function mayContinue(error: unknown): error is HoldallError {
  return error instanceof HoldallError && (error.isPassing || [423, 460, 500].includes(error.status));
}

function readNumber(headers: Headers, name: string): number {
  const text = headers.get(name);
  if (text === null || !/^\d{1,16}$/.test(text)) throw new ProtocolError(`${name} is missing in an answer.`);
  return Number(text);
}
