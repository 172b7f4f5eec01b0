import { Readable } from 'node:stream';
import { ByteCounter, type ByteDigest, chunksOf } from '../base/bytes/byte-streams.ts';
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

/** What came before the source ended or failed. */
export interface GatheredBatch extends ByteBatch {
  /** Why nothing comes behind the batch, where that is not the end of the source. */
  readonly fault: { readonly error: unknown } | undefined;
}

/**
 * The chunks of one write, on their way into a store: stopped by the limit and by the signal, even while the source is
 * silent. The owner calls `close` whatever happens.
 */
export class ChunkSource {
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #overLimitMessage: string;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.stop(this.#signal?.reason);
  #allowedBytes: number;
  #fault: { readonly error: unknown } | undefined;
  #stopWaiting: (() => void) | undefined;
  #isWaiting = false;
  #isDone = false;

  constructor(source: AsyncIterable<Uint8Array>, options: WriteOptions) {
    this.#source = source;
    this.#iterator = source instanceof Readable ? chunksOf(source) : source[Symbol.asyncIterator]();
    this.#allowedBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
    this.#overLimitMessage = options.overLimitMessage ?? `More than ${options.maxBytes} bytes came.`;
    this.#signal = options.signal;
    if (this.#signal?.aborted) this.#onAbort();
    else this.#signal?.addEventListener('abort', this.#onAbort);
  }

  /**
   * Gathers chunks until they have `fullBytes`, or the source has ended or failed, or has given more than it may: then
   * the batch ends where the surplus begins. Never rejects.
   */
  async gather(fullBytes: number): Promise<GatheredBatch> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    while (size < fullBytes && chunks.length < MAX_BATCH_CHUNKS) {
      const chunk = await this.#nextChunk();
      if (chunk === undefined) return { chunks, size, isLast: true, fault: this.#fault };
      if (chunk.byteLength === 0) continue;
      chunks.push(chunk);
      size += chunk.byteLength;
    }
    return { chunks, size, isLast: false, fault: undefined };
  }

  /**
   * Like `gather`, for whom a batch before a failure is worth nothing.
   * @throws Failure `over-limit`; the reason of the signal; what the source throws
   */
  async nextBatch(fullBytes: number): Promise<ByteBatch> {
    const batch = await this.gather(fullBytes);
    if (batch.fault !== undefined) throw batch.fault.error;
    return batch;
  }

  /** Lets nothing more come: whoever waits for a batch gets what there is, with this error. */
  stop(error: unknown): void {
    this.#fault ??= { error };
    this.#stopWaiting?.();
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

  /** Hears of every chunk that may come, in order. */
  protected pass(_chunk: Uint8Array): void {}

  /** Undefined when nothing more comes. */
  async #nextChunk(): Promise<Uint8Array | undefined> {
    if (this.#fault !== undefined || this.#isDone) return undefined;
    const came = await this.#step();
    if (came === undefined) return undefined;
    const chunk = came.byteLength <= this.#allowedBytes ? came : came.subarray(0, this.#allowedBytes);
    if (chunk !== came) this.stop(new Failure('over-limit', this.#overLimitMessage));
    this.#allowedBytes -= chunk.byteLength;
    this.pass(chunk);
    return chunk;
  }

  #step(): Promise<Uint8Array | undefined> {
    this.#isWaiting = true;
    return new Promise((resolve) => {
      this.#stopWaiting = () => resolve(undefined);
      this.#iterator.next().then(
        ({ done, value }) => {
          this.#isWaiting = false;
          if (done === true) this.#isDone = true;
          resolve(done === true ? undefined : value);
        },
        (error) => {
          this.#isWaiting = false;
          this.#isDone = true;
          this.stop(error);
        },
      );
    });
  }
}

/** The bytes of a write that comes in one go: hashed as they come. */
export class HashingChunkSource extends ChunkSource {
  readonly #counter = new ByteCounter();
  readonly #onProgress: WriteOptions['onProgress'];

  constructor(source: AsyncIterable<Uint8Array>, options: WriteOptions) {
    super(source, options);
    this.#onProgress = options.onProgress;
  }

  /** What has come, once a batch was the last. Call once. */
  digest(): ByteDigest {
    return this.#counter.digest();
  }

  protected override pass(chunk: Uint8Array): void {
    this.#counter.add(chunk);
    this.#onProgress?.(this.#counter.size);
  }
}
