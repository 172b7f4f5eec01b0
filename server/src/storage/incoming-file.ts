import type { ByteDigest } from '../base/byte-streams.ts';
import type { ByteBatch, ByteSource } from './byte-source.ts';
import { appendChunks, closeAtOnce, closeFile, flushBytes } from './file-calls.ts';

/** Bytes per write. What ends within the first is written and flushed by one call. */
const BATCH_BYTES = 512 * 1024;

// So the disk works while the rest still comes, and no gigabyte is left for the flush at the end: tried, 880
// instead of 680 MiB/s with hashing on one core, and 2,380 instead of 1,100 without.
const EARLY_FLUSH_BYTES = 32 * 1024 * 1024;

/** `flushed`: each write to the file returns only when it is durable. */
export type CreateFile = (mode: 'plain' | 'flushed') => Promise<number>;

/**
 * Writes the bytes into a new file and flushes it. While one batch is written the next is awaited and hashed,
 * so that at most two are in memory and a slow disk slows the source down. On failure the file is closed, but
 * what came of it stays.
 */
export async function receiveFile(create: CreateFile, bytes: ByteSource): Promise<ByteDigest> {
  const first = await bytes.nextBatch(BATCH_BYTES);
  if (first.isLast) await writeSmallFile(await create('flushed'), first);
  else await writeLargeFile(await create('plain'), first, bytes);
  return bytes.digest();
}

async function writeSmallFile(descriptor: number, batch: ByteBatch): Promise<void> {
  try {
    await appendChunks(descriptor, batch.chunks);
  } finally {
    closeAtOnce(descriptor);
  }
}

async function writeLargeFile(descriptor: number, first: ByteBatch, bytes: ByteSource): Promise<void> {
  const file = new LargeFile(descriptor);
  try {
    let batch = first;
    await file.append(batch);
    while (!batch.isLast) {
      batch = await bytes.nextBatch(BATCH_BYTES);
      await file.append(batch);
    }
    await file.flush();
  } finally {
    await file.close();
  }
}

/** A file whose writes and flushes run while its owner does something else. */
class LargeFile {
  readonly #descriptor: number;
  #writing: Promise<void> = Promise.resolve();
  // Once one has failed all have: the system tells of lost bytes once and then calls the next flush a success.
  #flushing: Promise<void> = Promise.resolve();
  #isFlushing = false;
  #unflushedBytes = 0;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Resolves when the batch before is written, and this one has begun. */
  async append(batch: ByteBatch): Promise<void> {
    await this.#writing;
    if (this.#unflushedBytes >= EARLY_FLUSH_BYTES && !this.#isFlushing) this.#startFlush();
    this.#unflushedBytes += batch.size;
    this.#writing = appendChunks(this.#descriptor, batch.chunks);
    // A failure is met where it is awaited next, and is no unhandled rejection before.
    this.#writing.catch(() => {});
  }

  async flush(): Promise<void> {
    await this.#writing;
    this.#startFlush();
    await this.#flushing;
  }

  /** Never under a running call: the number of the descriptor may belong to another file by then. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#writing, this.#flushing]);
    await closeFile(this.#descriptor);
  }

  #startFlush(): void {
    this.#unflushedBytes = 0;
    this.#isFlushing = true;
    this.#flushing = this.#flushing.then(() => flushBytes(this.#descriptor));
    const end = () => {
      this.#isFlushing = false;
    };
    this.#flushing.then(end, end);
  }
}
