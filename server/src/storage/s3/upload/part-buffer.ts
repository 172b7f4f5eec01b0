import { ByteCounter, type ByteDigest } from '../../../base/bytes/byte-streams.ts';

/** Up to this size the bytes stay in the received chunks, and no buffer of full capacity is allocated. */
const MAX_CHUNKED_BYTES = 256 * 1024;

/**
 * Holds the bytes of one part until they are stored. Each byte is copied at most once. A buffer of `capacity`
 * bytes is allocated only when the part outgrows a few chunks, and can be reused for a later part.
 */
export class PartBuffer {
  readonly capacity: number;
  #size = 0;
  #chunks: Uint8Array[] = [];
  #memory: Buffer | undefined;

  constructor(capacity: number, memory?: Buffer) {
    this.capacity = capacity;
    this.#memory = memory !== undefined && memory.byteLength >= capacity ? memory : undefined;
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size === this.capacity;
  }

  /** Adds as much of the chunk as fits, and returns the rest. */
  add(chunk: Uint8Array): Uint8Array | undefined {
    const room = this.capacity - this.#size;
    const taken = chunk.byteLength <= room ? chunk : chunk.subarray(0, room);
    if (this.#memory === undefined && this.#size + taken.byteLength <= MAX_CHUNKED_BYTES) {
      this.#chunks.push(taken);
    } else {
      this.#reserve().set(taken, this.#size);
    }
    this.#size += taken.byteLength;
    return taken === chunk ? undefined : chunk.subarray(room);
  }

  bytes(): Buffer {
    if (this.#memory !== undefined) return this.#memory.subarray(0, this.#size);
    const [first = Buffer.alloc(0), second] = this.#chunks;
    if (second !== undefined) return Buffer.concat(this.#chunks);
    return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  }

  /** The allocated buffer, for a later part. Reuse it only after this part is stored. */
  get memory(): Buffer | undefined {
    return this.#memory;
  }

  /**
   * The digest with which the store verifies the bytes. Computed in steps, so that it does not block the
   * event loop.
   */
  async digest(): Promise<ByteDigest> {
    const counter = new ByteCounter();
    const bytes = this.bytes();
    for (let from = 0; from < bytes.byteLength; from += DIGEST_STEP_BYTES) {
      if (from > 0) await new Promise((resolve) => setImmediate(resolve));
      counter.add(bytes.subarray(from, from + DIGEST_STEP_BYTES));
    }
    return counter.digest();
  }

  #reserve(): Buffer {
    if (this.#memory !== undefined) return this.#memory;
    this.#memory = Buffer.allocUnsafeSlow(this.capacity);
    let size = 0;
    for (const chunk of this.#chunks) {
      this.#memory.set(chunk, size);
      size += chunk.byteLength;
    }
    this.#chunks = [];
    return this.#memory;
  }
}

/** The bytes that are hashed in one step, which takes one or two milliseconds. */
const DIGEST_STEP_BYTES = 2 * 1024 * 1024;
