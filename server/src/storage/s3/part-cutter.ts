import type { ByteSource } from '../byte-source.ts';
import type { S3Part } from './part.ts';

/** Cuts the bytes of a source into parts. */
export class S3PartCutter {
  readonly #bytes: ByteSource;
  #waiting: Uint8Array[] = [];
  #isLast = false;

  constructor(bytes: ByteSource) {
    this.#bytes = bytes;
  }

  /** Until the part is full or nothing more comes. */
  async fill(part: S3Part): Promise<void> {
    while (!part.isFull && !(await this.isAtEnd())) {
      const [chunk, ...others] = this.#waiting;
      const rest = chunk && part.add(chunk);
      this.#waiting = rest === undefined ? others : [rest, ...others];
    }
  }

  /** Waits for the next chunk, if there is one. */
  async isAtEnd(): Promise<boolean> {
    while (this.#waiting.length === 0) {
      if (this.#isLast) return true;
      const batch = await this.#bytes.nextBatch(1);
      this.#waiting = [...batch.chunks];
      this.#isLast = batch.isLast;
    }
    return false;
  }
}
