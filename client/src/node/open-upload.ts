import { openAsBlob } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { PieceSource } from '../uploads/upload-source.ts';

/**
 * Opens a file on disk as the source of an upload, with its name and modification time. Its bytes are read
 * when they are sent, which is faster than with the `File` from `openFile`. If the file changes meanwhile,
 * reading fails.
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
        // Checked after reading, because the file may change while it is read.
        if (!isWhole || (await readFacts(handle)).state !== state)
          throw new Error(`${file} was changed while it was read.`);
      }),
  };
}

/** Opens the file for each piece, so that no one has to close it at the end. */
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

/** Fills `into`; returns false if the file ends earlier. */
async function fill(handle: FileHandle, start: number, into: Uint8Array): Promise<boolean> {
  for (let filled = 0; filled < into.length; ) {
    const { bytesRead } = await handle.read(into, filled, into.length - filled, start + filled);
    if (bytesRead === 0) return false;
    filled += bytesRead;
  }
  return true;
}

/**
 * Opens a file on disk as the source of an upload, with its name and modification time. Its bytes are read
 * when they are sent. If the file changes meanwhile, reading fails.
 * @throws Error of the file system
 */
export async function openFile(file: string): Promise<File> {
  const [blob, { mtimeMs }] = [await openAsBlob(file), await stat(file)];
  return new File([blob], path.basename(file), { lastModified: Math.floor(mtimeMs) });
}
