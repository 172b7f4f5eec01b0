import { Readable } from 'node:stream';
import { DOWNLOAD_SILENCE_MS } from '../clients.ts';
import { toUnavailable } from '../failures.ts';

/** Bytes that wait for their reader. */
const WAITING_BYTES = 256 * 1024;

/**
 * The bytes of an answer, exactly as many as were announced. Fails with `unavailable` where fewer come, or none for
 * half a minute while the reader waits: how slow the reader is does not count.
 */
export class DownloadStream extends Readable {
  readonly #body: Readable;
  readonly #timer: NodeJS.Timeout;
  #missingBytes: number;

  constructor(body: Readable, size: number, silenceMs: number = DOWNLOAD_SILENCE_MS) {
    super({ highWaterMark: WAITING_BYTES });
    this.#body = body;
    this.#missingBytes = size;
    this.#timer = setTimeout(() => this.#onSilence(), silenceMs).unref();
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
      this.destroy(toUnavailable(new Error('More bytes came than were announced.')));
    else if (this.push(chunk)) this.#timer.refresh();
    else this.#body.pause();
  }

  #onEnd(): void {
    if (this.destroyed || this.readableEnded) return;
    clearTimeout(this.#timer);
    if (this.#missingBytes === 0) this.push(null);
    else this.destroy(toUnavailable(new Error(`The answer ended ${this.#missingBytes} bytes too early.`)));
  }

  #onSilence(): void {
    // The reader has had enough for the moment; its next wish starts the timer again.
    if (this.#body.isPaused() || this.#missingBytes === 0) return;
    this.destroy(toUnavailable(new Error('The answer stopped coming.')));
  }
}
