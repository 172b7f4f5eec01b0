import { createCipheriv } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';

/** A file that goes into the drive. */
export interface SourceFile {
  /** As it is sent: relative, `/`-separated, in whatever form of Unicode the source has. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Opens the bytes; can be called again and gives the same. */
  readonly open: () => Readable;
}

export interface SourceTree {
  readonly files: readonly SourceFile[];
  /** Directories that exist for themselves; those of the files need no mention. */
  readonly directories: readonly string[];
}

const CHUNK_BYTES = 1024 * 1024;

export function fileFromDisk(path: string, diskPath: string, size: number): SourceFile {
  return { path, size, open: () => createReadStream(diskPath) };
}

export function fileFromText(path: string, text: string): SourceFile {
  const bytes = Buffer.from(text);
  return { path, size: bytes.length, open: () => Readable.from([bytes], { objectMode: false }) };
}

/**
 * A file of pseudo-random bytes, made while it is read: the key stream of AES-128 in counter mode, as fast as
 * memory, the same for the same seed, and nothing that compresses.
 */
export function generatedFile(path: string, size: number, seed: number): SourceFile {
  return { path, size, open: () => Readable.from(generate(size, seed), { objectMode: false }) };
}

function* generate(size: number, seed: number): Iterable<Buffer> {
  const key = Buffer.alloc(16, seed);
  const cipher = createCipheriv('aes-128-ctr', key, Buffer.alloc(16));
  const zeros = Buffer.alloc(CHUNK_BYTES);
  for (let left = size; left > 0; left -= CHUNK_BYTES) {
    yield cipher.update(left < CHUNK_BYTES ? zeros.subarray(0, left) : zeros);
  }
}
