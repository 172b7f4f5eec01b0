import { openAsBlob } from 'node:fs';
import { access, readFile } from 'node:fs/promises';

/**
 * Files up to this size are read into memory, and at least those that the library sends in a form. If a file is
 * changed while a form with it is sent, `fetch` of Node.js fails where nobody can catch it.
 */
const SMALL_BYTES = 1_048_576;

/** The bytes of a file, for an upload. Reading a larger file fails if it is changed meanwhile. */
export async function openSource(file: string, size: number): Promise<Blob> {
  if (size <= SMALL_BYTES) return new Blob([await readFile(file)]);
  // For the error of the file system, which `openAsBlob` does not give.
  await access(file);
  return await openAsBlob(file);
}
