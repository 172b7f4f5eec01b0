import type { FileHandle } from 'node:fs/promises';

/**
 * Fewer and larger writes take less time. At most two batches are in memory: one being written, one being
 * filled.
 */
const BATCH_BYTES = 1024 * 1024;

/**
 * Writes chunks to a file one after the other, in batches. A batch is written while the next chunks arrive.
 * No one else may use the chunks, because their memory is freed as soon as they are written.
 */
export class BatchWriter {
  readonly #file: FileHandle;
  #batch: Uint8Array[] = [];
  #batchBytes = 0;
  #position: number;
  #writing: Promise<void> = Promise.resolve();

  /** @param start where the first chunk goes, in bytes */
  constructor(file: FileHandle, start: number) {
    this.#file = file;
    this.#position = start;
  }

  /** The position of the next batch, in bytes. After `flush`, it is the end of the written bytes. */
  get position(): number {
    return this.#position;
  }

  /** Resolves when the next chunk can be added. @throws the error of an earlier batch */
  async add(chunk: Uint8Array): Promise<void> {
    this.#batch.push(chunk);
    this.#batchBytes += chunk.length;
    if (this.#batchBytes < BATCH_BYTES) return;
    await this.#writing;
    this.#writing = this.#writeBatch();
    // Thrown by the next call.
    this.#writing.catch(() => undefined);
  }

  /** Resolves when all chunks are written. @throws the error of a batch */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#writeBatch();
  }

  async #writeBatch(): Promise<void> {
    const chunks = this.#batch;
    let [batch, position] = [chunks, this.#position];
    this.#batch = [];
    this.#position += this.#batchBytes;
    this.#batchBytes = 0;
    while (batch.length > 0) {
      const { bytesWritten } = await this.#file.writev(batch, position);
      position += bytesWritten;
      batch = skip(batch, bytesWritten);
    }
    chunks.forEach(free);
  }
}

/**
 * Frees the memory of a chunk. The garbage collector would also do so, but needs a full collection every few
 * megabytes. A chunk that shares its memory with others is left to the garbage collector.
 */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** The rest of the chunks after this many bytes. */
function skip(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let left = bytes;
  return chunks.flatMap((chunk) => {
    const rest = chunk.subarray(Math.min(left, chunk.length));
    left -= chunk.length - rest.length;
    return rest.length === 0 ? [] : [rest];
  });
}
