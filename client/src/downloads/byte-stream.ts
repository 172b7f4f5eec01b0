import {
  DamagedError,
  HoldallError,
  PreconditionError,
  TimeoutError,
  UnreachableError,
} from '../errors/errors.ts';
import { backoffMs, wait } from '../requests/waiting.ts';
import type { Hasher } from './sha256.ts';

// The bytes of a download as one stream. After a break, it requests the rest.

/** Requests the bytes from an offset to the end of the download. @throws HoldallError */
type OpenAt = (offset: number) => Promise<Response>;

interface Checksum {
  readonly hasher: Hasher;
  /** Finds the SHA-256 that the bytes should have, in hex; undefined if the service does not know it. */
  find(): Promise<string | undefined>;
}

interface ByteStreamParts {
  readonly openAt: OpenAt;
  /** The response to the first request. */
  readonly first: Response;
  /** The position of the first response in the whole file. */
  readonly start: number;
  /** The end of the download in the whole file; undefined if the service does not tell it. */
  readonly end: number | undefined;
  /** Whether the service can send the same bytes from an offset. */
  readonly isResumable: boolean;
  /** The checksum to verify at the end; undefined if there is none. */
  readonly checksum: Checksum | undefined;
  /** A connection counts as broken after this many milliseconds without a byte. */
  readonly stallMs: number;
  readonly onProgress: ((receivedBytes: number) => void) | undefined;
  /** Aborted by the caller, or by `abort`. */
  readonly signal: AbortSignal;
  /** Ends the requests of this download. */
  abort(): void;
}

/** After more failures than this without a byte in between, about a minute, the last error is thrown. */
const MAX_FAILURES = 8;

/** Opens a stream that requests the rest when a connection breaks. Cancelling it ends the request. */
export function openByteStream(parts: ByteStreamParts): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reading = readBytes(parts);
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await reading.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        // Abort first, because a waiting read would otherwise not end before bytes arrive.
        parts.abort();
        await reading.return().catch(() => undefined);
      },
    },
    // Reads nothing ahead, so that the reader determines how fast the service sends.
    { highWaterMark: 0 },
  );
}

async function* readBytes(parts: ByteStreamParts): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { start, end, checksum, isResumable, onProgress, signal } = parts;
  let position = start;
  let failures = 0;
  let response: Response | undefined = parts.first;
  for (;;) {
    try {
      response ??= await openRest(parts, position);
      for await (const bytes of readBody(response, parts)) {
        position += bytes.length;
        failures = 0;
        checksum?.hasher.update(bytes);
        onProgress?.(position - start);
        yield bytes;
      }
      if (end !== undefined && position < end) throw new UnreachableError('The connection ended too early.');
      break;
    } catch (error) {
      signal.throwIfAborted();
      // The connection broke after the last byte, so there is nothing left to request.
      if (error instanceof HoldallError && position === end) break;
      failures += 1;
      const mayRepeat = error instanceof HoldallError && error.isPassing && isResumable;
      if (!mayRepeat || failures > MAX_FAILURES) throw error;
      await wait(backoffMs(failures, error.retryAfterSeconds), signal);
      response = undefined;
    }
  }
  if (end !== undefined && position !== end)
    throw new DamagedError('More bytes arrived than were announced.');
  const expected = await checksum?.find();
  if (expected !== undefined && checksum?.hasher.digest() !== expected) {
    throw new DamagedError('The bytes that arrived do not have the checksum of the file.');
  }
}

async function openRest({ openAt }: ByteStreamParts, position: number): Promise<Response> {
  const response = await openAt(position);
  const begins = response.headers.get('content-range')?.startsWith(`bytes ${position}-`) === true;
  if (response.status === 206 && begins) return response;
  await response.body?.cancel();
  throw new PreconditionError('The content was changed while it was downloaded.');
}

async function* readBody(
  response: Response,
  { stallMs, signal }: ByteStreamParts,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  // Cancelling ends a waiting read.
  const stall = new StallTimer(stallMs, () => void reader.cancel().catch(() => undefined));
  try {
    for (;;) {
      stall.begin();
      const { done, value } = await reader.read();
      stall.end();
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (error instanceof HoldallError || signal.aborted) throw error;
    throw new UnreachableError(error);
  } finally {
    stall.stop();
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Limits how long a read may wait for bytes. One timer serves all reads and checks when the current one
 * began, because a timer for each of many small reads would take longer than the reads.
 */
class StallTimer {
  readonly #stallMs: number;
  readonly #onStall: () => void;
  #timer: ReturnType<typeof setTimeout>;
  #waitingSince: number | undefined;
  #isStalled = false;

  /** @param onStall ends the waiting read */
  constructor(stallMs: number, onStall: () => void) {
    this.#stallMs = stallMs;
    this.#onStall = onStall;
    this.#timer = setTimeout(this.#check, stallMs);
  }

  /** A read begins. */
  begin(): void {
    this.#waitingSince = performance.now();
  }

  /** The read has ended. @throws TimeoutError if it waited too long */
  end(): void {
    this.#waitingSince = undefined;
    if (this.#isStalled) throw new TimeoutError(`No byte has arrived for ${this.#stallMs / 1_000} s.`);
  }

  /** Call it when nothing is read any more. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  readonly #check = () => {
    const waitedMs = this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince;
    if (waitedMs >= this.#stallMs) {
      this.#isStalled = true;
      this.#onStall();
    } else this.#timer = setTimeout(this.#check, this.#stallMs - waitedMs);
  };
}
