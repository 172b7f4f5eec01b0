import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * A file on disk as the source of an upload, with its name and the time when it was modified. Its bytes are
 * read when they are sent; if the file is changed meanwhile, reading it fails.
 * @throws Error of the file system
 */
export async function openFile(file: string): Promise<File> {
  const [blob, { mtimeMs }] = [await openAsBlob(file), await stat(file)];
  return new File([blob], path.basename(file), { lastModified: Math.floor(mtimeMs) });
}
