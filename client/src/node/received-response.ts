// Converts responses of `node:http` to those of `fetch`.
import type { IncomingMessage } from 'node:http';

/** Responses up to this size are received completely first, so that their `Response` needs no stream. */
const MAX_WHOLE_BYTES = 64 * 1024;

/** Up to this size, unread bytes wait in memory. Beyond it, the connection is paused. */
const MAX_WAITING_BYTES = 256 * 1024;

/** Statuses without a body (https://fetch.spec.whatwg.org/#null-body-status). */
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Converts a response to a `Response`. Its body is read only as fast as the reader reads.
 * @param signal ends reading the body
 * @throws Error if the connection breaks before a small response has arrived
 */
export async function toResponse(
  message: IncomingMessage,
  method: string,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { statusCode: status = 0, statusMessage: statusText = '' } = message;
  const init = { status, statusText, headers: toPairs(message.rawHeaders) };
  if (method === 'HEAD' || WITHOUT_BODY.has(status)) {
    message.resume();
    return new Response(null, init);
  }
  const length = Number(message.headers['content-length'] ?? Number.NaN);
  if (length <= MAX_WHOLE_BYTES) return new WholeResponse(await readWhole(message), init);
  return new Response(toStream(message, signal), init);
}

/**
 * Calls the function with the reason when the signal is aborted. Returns a function that removes the
 * listener.
 */
export function onAbort(signal: AbortSignal | undefined, stop: (reason: Error) => void): () => void {
  if (signal === undefined) return () => {};
  const listener = () =>
    stop(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** A `Response` whose bytes have all arrived. The class of Node.js reads even those through a stream. */
class WholeResponse extends Response {
  readonly #bytes: Buffer<ArrayBuffer>;

  constructor(bytes: Buffer<ArrayBuffer>, init: ResponseInit) {
    super(null, init);
    this.#bytes = bytes;
  }

  override get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    return new Response(this.#bytes).body;
  }

  override async text(): Promise<string> {
    return this.#bytes.toString();
  }

  override async json(): Promise<unknown> {
    return JSON.parse(this.#bytes.toString());
  }

  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(this.#bytes);
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  override async blob(): Promise<Blob> {
    return new Blob([this.#bytes], { type: this.headers.get('content-type') ?? '' });
  }
}

function toPairs(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  return pairs;
}

function readWhole(message: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer<ArrayBuffer>[] = [];
    message.on('data', (chunk: Buffer<ArrayBuffer>) => chunks.push(chunk));
    message.on('error', reject);
    message.on('end', () => {
      const [first] = chunks;
      resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks));
    });
  });
}

function toStream(
  message: IncomingMessage,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let hasEnded = false;
  let stopWatching = () => {};
  /**
   * Watches the signal until everything is read, because it must also end the reading of bytes in memory.
   */
  const closeWhenRead = (controller: ReadableStreamDefaultController) => {
    if (!hasEnded || controller.desiredSize !== MAX_WAITING_BYTES) return;
    stopWatching();
    controller.close();
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        const fail = (error: unknown) => {
          stopWatching();
          controller.error(signal?.aborted === true ? signal.reason : error);
        };
        stopWatching = onAbort(signal, (reason) => {
          fail(reason);
          message.destroy(reason);
        });
        message.on('data', ({ buffer, byteOffset, byteLength }: Buffer<ArrayBuffer>) => {
          // Bytes may still be buffered in the message when reading is ended.
          if (message.destroyed) return;
          controller.enqueue(new Uint8Array(buffer, byteOffset, byteLength));
          if ((controller.desiredSize ?? 0) <= 0) message.pause();
        });
        message.on('end', () => {
          hasEnded = true;
          closeWhenRead(controller);
        });
        message.on('error', fail);
      },
      pull(controller) {
        closeWhenRead(controller);
        message.resume();
      },
      cancel() {
        stopWatching();
        message.destroy();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }),
  );
}
