import { Readable } from 'node:stream';
import { ByteCounter, type ByteDigest, chunksOf } from '../base/bytes/byte-streams.ts';
import { Failure } from '../base/failure.ts';
import type { WriteOptions } from './object-store.ts';

/** The maximum number of chunks in a batch: one `writev` accepts no more, even if they are small. */
const MAX_BATCH_CHUNKS = 1_024;

/** Consecutive chunks of a source. */
export interface ByteBatch {
  readonly chunks: readonly Uint8Array[];
  readonly size: number;
  readonly isLast: boolean;
}

/** A batch that may end with the failure of its source. */
export interface GatheredBatch extends ByteBatch {
  /** The error that ended the source after this batch; undefined when it continues or ended normally. */
  readonly fault: { readonly error: unknown } | undefined;
}

/**
 * Reads the chunks that one write stores. It stops at the byte limit and when the signal aborts, even while
 * the source produces nothing. The owner must always call `close`.
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
    this.#overLimitMessage = options.overLimitMessage ?? `More than ${options.maxBytes} bytes were sent.`;
    this.#signal = options.signal;
    if (this.#signal?.aborted) this.#onAbort();
    else this.#signal?.addEventListener('abort', this.#onAbort);
  }

  /**
   * Collects chunks until they have `fullBytes` bytes, or the source ends or fails. If the source exceeds the
   * limit, the batch ends exactly at the limit. Never rejects: the error is in `fault`.
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
   * Like `gather`, but throws when the source fails; the bytes before the failure are dropped.
   * @throws Failure `over-limit`; the reason of the signal; the error of the source
   */
  async nextBatch(fullBytes: number): Promise<ByteBatch> {
    const batch = await this.gather(fullBytes);
    if (batch.fault !== undefined) throw batch.fault.error;
    return batch;
  }

  /** Ends the source with this error. A pending `gather` resolves with the chunks it has so far. */
  stop(error: unknown): void {
    this.#fault ??= { error };
    this.#stopWaiting?.();
  }

  /** Closes a source that has not ended yet, so that its producer stops. */
  async close(): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    if (this.#isDone) return;
    this.#isDone = true;
    if (this.#source instanceof Readable) this.#source.destroy();
    const returned = this.#iterator.return?.().catch(() => {});
    // A generator that awaits a chunk returns only after that chunk has arrived, which may be never.
    if (!this.#isWaiting) await returned;
  }

  /** Called with every accepted chunk, in order. */
  protected onChunk(_chunk: Uint8Array): void {}

  /** Undefined at the end of the source, or after a failure. */
  async #nextChunk(): Promise<Uint8Array | undefined> {
    if (this.#fault !== undefined || this.#isDone) return undefined;
    const received = await this.#readSource();
    if (received === undefined) return undefined;
    const chunk =
      received.byteLength <= this.#allowedBytes ? received : received.subarray(0, this.#allowedBytes);
    if (chunk !== received) this.stop(new Failure('over-limit', this.#overLimitMessage));
    this.#allowedBytes -= chunk.byteLength;
    this.onChunk(chunk);
    return chunk;
  }

  #readSource(): Promise<Uint8Array | undefined> {
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

/** Reads a write that is sent in one stream, and hashes its chunks while they arrive. */
export class HashingChunkSource extends ChunkSource {
  readonly #counter = new ByteCounter();
  readonly #onProgress: WriteOptions['onProgress'];

  constructor(source: AsyncIterable<Uint8Array>, options: WriteOptions) {
    super(source, options);
    this.#onProgress = options.onProgress;
  }

  /** The digest of all bytes. Call it once, after the last batch. */
  digest(): ByteDigest {
    return this.#counter.digest();
  }

  protected override onChunk(chunk: Uint8Array): void {
    this.#counter.add(chunk);
    this.#onProgress?.(this.#counter.size);
  }
}
