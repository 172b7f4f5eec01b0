import { type ByteDigest, freeChunk } from '../../base/bytes/byte-streams.ts';
import type { ByteBatch, HashingChunkSource } from '../chunk-source.ts';
import { closeFileSync, writeChunks } from './file-system/file-system.ts';
import type { FreeSpace } from './file-system/free-space.ts';
import { FileWriter } from './file-writer.ts';

interface FlushedFileOptions {
  /** Ends the write of a file larger than one batch when the disk is almost full. */
  readonly freeSpace?: FreeSpace | undefined;
  /** See `WriteOptions`. */
  readonly ownsChunks?: boolean | undefined;
}

/** The bytes per write. A file that fits into one batch is written and flushed with one call. */
const BATCH_BYTES = 512 * 1024;

/**
 * Creates the file and resolves with its descriptor. In `flushed` mode each write returns only when it is
 * durable.
 */
type CreateFile = (mode: 'plain' | 'flushed') => Promise<number>;

/**
 * Writes the source into a new file and flushes it. While one batch is written the next one is read and
 * hashed. So at most two batches are in memory, and a slow disk slows the source down. After a failure the
 * file is closed but not removed.
 * @throws Failure `over-limit` when the source exceeds its limit, or the disk is full
 */
export async function writeFlushedFile(
  create: CreateFile,
  bytes: HashingChunkSource,
  options: FlushedFileOptions = {},
): Promise<ByteDigest> {
  const first = await bytes.nextBatch(BATCH_BYTES);
  if (first.isLast) await writeSmallFile(await create('flushed'), first, options);
  else await writeLargeFile(await create('plain'), first, bytes, options);
  return bytes.digest();
}

async function writeSmallFile(
  descriptor: number,
  batch: ByteBatch,
  { ownsChunks = false }: FlushedFileOptions,
): Promise<void> {
  try {
    await writeChunks(descriptor, batch.chunks, 0);
    if (ownsChunks) batch.chunks.forEach(freeChunk);
  } finally {
    closeFileSync(descriptor);
  }
}

async function writeLargeFile(
  descriptor: number,
  first: ByteBatch,
  bytes: HashingChunkSource,
  { freeSpace, ownsChunks }: FlushedFileOptions,
): Promise<void> {
  const file = new FileWriter(descriptor, 0, ownsChunks);
  try {
    let batch = first;
    await file.append(batch);
    while (!batch.isLast) {
      batch = await bytes.nextBatch(BATCH_BYTES);
      const refusal = await freeSpace?.findRefusal();
      if (refusal !== undefined) throw refusal;
      await file.append(batch);
    }
    await file.flush();
  } finally {
    await file.close();
  }
}
