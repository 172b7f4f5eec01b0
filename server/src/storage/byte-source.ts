import { ByteCounter, type ByteDigest } from '../base/byte-streams.ts';
import { ChunkSource } from './chunk-source.ts';

/** The bytes of a write that comes in one go: hashed as they come. */
export class ByteSource extends ChunkSource {
  readonly #counter = new ByteCounter();

  /** What has come, once a batch was the last. Call once. */
  digest(): ByteDigest {
    return this.#counter.digest();
  }

  protected override pass(chunk: Uint8Array): void {
    this.#counter.add(chunk);
  }
}
