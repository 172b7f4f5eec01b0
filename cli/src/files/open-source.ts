import { openAsBlob, readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { type PieceSource, SMALL_UPLOAD_BYTES } from '../../../client/src/client.ts';
import { openUpload } from '../../../client/src/node/files.ts';

/**
 * The bytes of a file, for an upload. Those of a small one are read at once, by a synchronous call:
 * asynchronous ones take longer than everything else that an upload of a small file does here. Reading a
 * larger one fails if it is changed meanwhile.
 * @throws Error of the file system
 */
export async function openSource(file: string, size: number): Promise<PieceSource | Uint8Array<ArrayBuffer>> {
  return size <= SMALL_UPLOAD_BYTES ? readFileSync(file) : await openUpload(file);
}

/** Like {@link openSource}, but for the body of one request. */
export async function openBody(file: string, size: number): Promise<Blob | Uint8Array<ArrayBuffer>> {
  if (size <= SMALL_UPLOAD_BYTES) return readFileSync(file);
  // For the error of the file system, which `openAsBlob` does not give.
  await access(file);
  return await openAsBlob(file);
}
