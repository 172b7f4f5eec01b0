import type { ByteDigest } from '../base/byte-streams.ts';
import type { ByteBatch, ByteSource } from './byte-source.ts';
import { appendChunks, closeFile, flushBytes } from './file-calls.ts';

/** Bytes per write. What ends within the first is written and flushed by one call. */
const BATCH_BYTES = 512 * 1024;

/** `flushed`: each write to the file returns only when it is durable. */
export type CreateFile = (mode: 'plain' | 'flushed') => Promise<number>;

/**
 * Writes the bytes into a new file and flushes it. While one batch is written the next is awaited and hashed,
 * so that at most two are in memory and a slow disk slows the source down. On failure the file is closed, but
 * what came of it stays.
 */
export async function receiveFile(create: CreateFile, bytes: ByteSource): Promise<ByteDigest> {
  const first = await bytes.nextBatch(BATCH_BYTES);
  const descriptor = await create(first.isLast ? 'flushed' : 'plain');
  try {
    if (first.isLast) {
      await appendChunks(descriptor, first.chunks);
    } else {
      await appendBatches(descriptor, first, bytes);
      await flushBytes(descriptor);
    }
  } finally {
    await closeFile(descriptor);
  }
  return bytes.digest();
}

async function appendBatches(descriptor: number, first: ByteBatch, bytes: ByteSource): Promise<void> {
  let writing = appendChunks(descriptor, first.chunks);
  let isLast = false;
  try {
    while (!isLast) {
      // A failed write is met when it is awaited, not as an unhandled rejection before.
      writing.catch(() => {});
      const batch = await bytes.nextBatch(BATCH_BYTES);
      await writing;
      writing = appendChunks(descriptor, batch.chunks);
      isLast = batch.isLast;
    }
  } finally {
    // The descriptor must not be closed, and its number given away, under a running write.
    await writing;
  }
}
