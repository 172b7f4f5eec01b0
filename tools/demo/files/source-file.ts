import { createCipheriv } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';

/** A file that is uploaded to the drive. */
export interface SourceFile {
  /** As it is sent: relative, `/`-separated, in the Unicode form of the source. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Opens the bytes; can be called again and returns the same. */
  readonly open: () => Readable;
}

export interface SourceTree {
  readonly files: readonly SourceFile[];
  /** Empty directories; those of files need not be listed. */
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
 * A file of pseudo-random bytes, generated while it is read: the key stream of AES-128 in counter mode, as
 * fast as memory, the same for the same seed, and incompressible.
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
