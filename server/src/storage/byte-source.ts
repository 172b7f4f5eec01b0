import { Readable } from 'node:stream';
import { ByteCounter, type ByteDigest, chunksOf } from '../base/byte-streams.ts';
import { Failure } from '../base/failure.ts';
import type { WriteOptions } from './object-store.ts';

/** A batch is full at this many chunks, however small: the most that one `writev` takes. */
const MAX_BATCH_CHUNKS = 1_024;

/** Chunks in order, and whether they are the last. */
export interface ByteBatch {
  readonly chunks: readonly Uint8Array[];
  readonly size: number;
  readonly isLast: boolean;
}

/**
 * The bytes of one write, on their way into a store: counted and hashed as they come, stopped by the limit
 * and by the signal, even while the source is silent. The owner calls `close` whatever happens.
 */
export class ByteSource {
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #maxBytes: number;
  readonly #overLimitMessage: string;
  readonly #signal: AbortSignal | undefined;
  readonly #counter = new ByteCounter();
  readonly #onAbort = () => this.#stopWaiting?.(this.#signal?.reason);
  #stopWaiting: ((reason: unknown) => void) | undefined;
  #isWaiting = false;
  #isDone = false;

  constructor(source: AsyncIterable<Uint8Array>, options: WriteOptions) {
    this.#source = source;
    this.#iterator = source instanceof Readable ? chunksOf(source) : source[Symbol.asyncIterator]();
    this.#maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
    this.#overLimitMessage = options.overLimitMessage ?? `More than ${this.#maxBytes} bytes came.`;
    this.#signal = options.signal;
    this.#signal?.addEventListener('abort', this.#onAbort);
  }

  /**
   * Gathers chunks until they have `fullBytes` or the source has ended.
   * @throws Failure `over-limit`; the reason of the signal; what the source throws
   */
  async nextBatch(fullBytes: number): Promise<ByteBatch> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    while (size < fullBytes && chunks.length < MAX_BATCH_CHUNKS) {
      const chunk = await this.#nextChunk();
      if (chunk === undefined) return { chunks, size, isLast: true };
      if (chunk.byteLength === 0) continue;
      chunks.push(chunk);
      size += chunk.byteLength;
    }
    return { chunks, size, isLast: false };
  }

  /** What has come, once a batch was the last. Call once. */
  digest(): ByteDigest {
    return this.#counter.digest();
  }

  /** Ends a source that has not ended by itself, so that whoever sends stops. */
  async close(): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    if (this.#isDone) return;
    this.#isDone = true;
    if (this.#source instanceof Readable) this.#source.destroy();
    const returned = this.#iterator.return?.().catch(() => {});
    // While a chunk is awaited, a generator returns only when that has come, which may be never.
    if (!this.#isWaiting) await returned;
  }

  async #nextChunk(): Promise<Uint8Array | undefined> {
    this.#signal?.throwIfAborted();
    const { done, value } = await this.#step();
    if (done === true) {
      this.#isDone = true;
      return undefined;
    }
    this.#counter.add(value);
    if (this.#counter.size > this.#maxBytes) throw new Failure('over-limit', this.#overLimitMessage);
    return value;
  }

  #step(): Promise<IteratorResult<Uint8Array, unknown>> {
    this.#isWaiting = true;
    return new Promise((resolve, reject) => {
      this.#stopWaiting = reject;
      this.#iterator.next().then(
        (step) => {
          this.#isWaiting = false;
          resolve(step);
        },
        (error) => {
          this.#isWaiting = false;
          this.#isDone = true;
          reject(error);
        },
      );
    });
  }
}
