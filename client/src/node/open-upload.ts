import { openAsBlob } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { PieceSource } from '../uploads/upload-source.ts';

/**
 * A file on disk as the source of an upload, with its name and the time when it was modified. Its bytes are
 * read when they are sent, in less time than those of the `File` of `openFile`; if the file is changed
 * meanwhile, reading it fails.
 * @throws Error of the file system
 */
export async function openUpload(file: string): Promise<PieceSource> {
  const { size, mtimeMs, state } = await withFile(file, readFacts);
  return {
    size,
    name: path.basename(file),
    lastModified: Math.floor(mtimeMs),
    readPiece: (start, into) =>
      withFile(file, async (handle) => {
        const isWhole = await fill(handle, start, into);
        // After the reading, because the file may be changed in the middle of it.
        if (!isWhole || (await readFacts(handle)).state !== state)
          throw new Error(`${file} was changed while it was read.`);
      }),
  };
}

/** Opens the file for each piece, so that nobody has to close it at the end. */
async function withFile<T>(file: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

async function readFacts(
  handle: FileHandle,
): Promise<{ readonly size: number; readonly mtimeMs: number; readonly state: string }> {
  const { ino, size, mtimeNs } = await handle.stat({ bigint: true });
  return { size: Number(size), mtimeMs: Number(mtimeNs / 1_000_000n), state: `${ino}:${size}:${mtimeNs}` };
}

/** False if the file has fewer bytes. */
async function fill(handle: FileHandle, start: number, into: Uint8Array): Promise<boolean> {
  for (let filled = 0; filled < into.length; ) {
    const { bytesRead } = await handle.read(into, filled, into.length - filled, start + filled);
    if (bytesRead === 0) return false;
    filled += bytesRead;
  }
  return true;
}

/**
 * A file on disk as the source of an upload, with its name and the time when it was modified. Its bytes are
 * read when they are sent; if the file is changed meanwhile, reading it fails.
 * @throws Error of the file system
 */
export async function openFile(file: string): Promise<File> {
  const [blob, { mtimeMs }] = [await openAsBlob(file), await stat(file)];
  return new File([blob], path.basename(file), { lastModified: Math.floor(mtimeMs) });
}
