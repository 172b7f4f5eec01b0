import { ByteCounter, type ByteDigest } from '../../../base/bytes/byte-streams.ts';

/** As long as there are no more bytes than this, they stay in the chunks in which they came. */
const GATHERED_BYTES = 256 * 1024;

/**
 * The bytes of one part until the store has them. Every byte is copied once at most. Memory of `capacity` is taken
 * when more than a few bytes come, and can be handed on to a later part.
 */
export class PartBuffer {
  readonly capacity: number;
  #size = 0;
  #gathered: Uint8Array[] = [];
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

  /** Takes what fits in and gives the rest. */
  add(chunk: Uint8Array): Uint8Array | undefined {
    const room = this.capacity - this.#size;
    const taken = chunk.byteLength <= room ? chunk : chunk.subarray(0, room);
    if (this.#memory === undefined && this.#size + taken.byteLength <= GATHERED_BYTES) {
      this.#gathered.push(taken);
    } else {
      this.#reserve().set(taken, this.#size);
    }
    this.#size += taken.byteLength;
    return taken === chunk ? undefined : chunk.subarray(room);
  }

  bytes(): Buffer {
    if (this.#memory !== undefined) return this.#memory.subarray(0, this.#size);
    const [first = Buffer.alloc(0), second] = this.#gathered;
    if (second !== undefined) return Buffer.concat(this.#gathered);
    return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  }

  /** For a later part, when nobody reads these bytes any more. */
  get memory(): Buffer | undefined {
    return this.#memory;
  }

  /** What the store is told of the bytes, so that it refuses others. Read in steps, so that others get their turn. */
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
    for (const chunk of this.#gathered) {
      this.#memory.set(chunk, size);
      size += chunk.byteLength;
    }
    this.#gathered = [];
    return this.#memory;
  }
}

/** Takes a millisecond or two. */
const DIGEST_STEP_BYTES = 2 * 1024 * 1024;
