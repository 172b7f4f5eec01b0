import { ByteCounter, type ByteDigest } from '../base/bytes/byte-streams.ts';
import { ChunkSource } from './chunk-source.ts';
import type { WriteOptions } from './object-store.ts';

/** The bytes of a write that comes in one go: hashed as they come. */
export class ByteSource extends ChunkSource {
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
