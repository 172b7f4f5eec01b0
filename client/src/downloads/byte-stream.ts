import {
  DamagedError,
  HoldallError,
  PreconditionError,
  TimeoutError,
  UnreachableError,
} from '../errors/errors.ts';
import { backoffMs, wait } from '../requests/waiting.ts';
import type { Hasher } from './sha256.ts';

// The bytes of a download as one stream, whose requests are repeated from where they broke.

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
  /** Where the first response begins, in the whole file. */
  readonly start: number;
  /** Where the download ends, in the whole file; undefined if the service does not say it. */
  readonly end: number | undefined;
  /** Whether the service can send the same bytes from an offset. */
  readonly isResumable: boolean;
  /** Compared at the end; undefined if there is nothing to compare with. */
  readonly checksum: Checksum | undefined;
  /** Milliseconds without a byte after which a connection counts as broken. */
  readonly stallMs: number;
  readonly onProgress: ((receivedBytes: number) => void) | undefined;
  /** Aborted by the caller, or by `abort`. */
  readonly signal: AbortSignal;
  /** Ends the requests of this download. */
  abort(): void;
}

/** Failures without a byte in between, after which the last error is thrown: about a minute. */
const MAX_FAILURES = 8;

/** A stream that asks for the rest when a connection breaks. Cancelling it ends the request. */
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
        // First, because a read that waits for bytes would not end before they arrive.
        parts.abort();
        await reading.return().catch(() => undefined);
      },
    },
    // Nothing is read ahead: the memory of the reader decides how fast the service sends.
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
      // The connection broke after the last byte. There is no range to ask for.
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
  // Ends a read that waits for bytes.
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
 * Limits how long a read may wait for bytes. One timer for all reads, which looks when the present one began:
 * a timer for each of many small reads takes longer than the reads.
 */
class StallTimer {
  readonly #stallMs: number;
  readonly #onStall: () => void;
  #timer: ReturnType<typeof setTimeout>;
  #waitingSince: number | undefined;
  #isStalled = false;

  /** @param onStall ends the read that waits */
  constructor(stallMs: number, onStall: () => void) {
    this.#stallMs = stallMs;
    this.#onStall = onStall;
    this.#timer = setTimeout(this.#check, stallMs);
  }

  /** A read begins. */
  begin(): void {
    this.#waitingSince = performance.now();
  }

  /** The read has ended. @throws TimeoutError if it had waited too long */
  end(): void {
    this.#waitingSince = undefined;
    if (this.#isStalled) throw new TimeoutError(`No byte has arrived for ${this.#stallMs / 1_000} s.`);
  }

  /** Nothing is read any more. */
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
