import { Readable } from 'node:stream';
import { DOWNLOAD_TIMEOUT_MS } from '../clients.ts';
import { toUnavailable } from '../failures.ts';

/** The size of the buffer for bytes received but not yet read. */
const BUFFER_BYTES = 256 * 1024;

/**
 * The body of a response, with exactly the announced number of bytes. Fails with `unavailable` when the body
 * has fewer or more bytes, or when a waiting reader gets none for half a minute. A slow reader does not cause
 * a timeout.
 */
export class DownloadStream extends Readable {
  readonly #body: Readable;
  readonly #timer: NodeJS.Timeout;
  #missingBytes: number;

  constructor(body: Readable, size: number, timeoutMs: number = DOWNLOAD_TIMEOUT_MS) {
    super({ highWaterMark: BUFFER_BYTES });
    this.#body = body;
    this.#missingBytes = size;
    this.#timer = setTimeout(() => this.#onTimeout(), timeoutMs).unref();
    body.on('data', (chunk: Buffer) => this.#onData(chunk));
    body.on('end', () => this.#onEnd());
    body.on('error', (error) => this.destroy(toUnavailable(error)));
    body.on('close', () => this.#onEnd());
    body.pause();
  }

  override _read(): void {
    this.#timer.refresh();
    this.#body.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    this.#body.destroy();
    done(error);
  }

  #onData(chunk: Buffer): void {
    if (this.destroyed) return;
    this.#missingBytes -= chunk.byteLength;
    if (this.#missingBytes < 0)
      this.destroy(toUnavailable(new Error('The response has more bytes than announced.')));
    else if (this.push(chunk)) this.#timer.refresh();
    else this.#body.pause();
  }

  #onEnd(): void {
    if (this.destroyed || this.readableEnded) return;
    clearTimeout(this.#timer);
    if (this.#missingBytes === 0) this.push(null);
    else this.destroy(toUnavailable(new Error(`The response ended ${this.#missingBytes} bytes too early.`)));
  }

  #onTimeout(): void {
    // The reader is not waiting: the buffer is full, or all bytes have arrived. Its next read restarts the
    // timer.
    if (this.#body.isPaused() || this.#missingBytes === 0) return;
    this.destroy(toUnavailable(new Error('The response delivered no bytes for too long.')));
  }
}
