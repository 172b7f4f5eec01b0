import { openAsBlob, readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { type PieceSource, SMALL_UPLOAD_BYTES } from '../../../client/src/client.ts';
import { openUpload } from '../../../client/src/node/files.ts';

/**
 * The bytes of a file, for an upload. A small file is read immediately with a synchronous call: asynchronous
 * calls would take longer than the rest of the work for its upload. Reading a larger file fails if it changes
 * meanwhile.
 * @throws Error of the file system
 */
export async function openSource(file: string, size: number): Promise<PieceSource | Uint8Array<ArrayBuffer>> {
  return size <= SMALL_UPLOAD_BYTES ? readFileSync(file) : await openUpload(file);
}

/** Like {@link openSource}, but for the body of one request. */
export async function openBody(file: string, size: number): Promise<Blob | Uint8Array<ArrayBuffer>> {
  if (size <= SMALL_UPLOAD_BYTES) return readFileSync(file);
  // Throws the error of the file system, which `openAsBlob` would hide.
  await access(file);
  return await openAsBlob(file);
}
