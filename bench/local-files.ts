import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const CONTENT_BYTES = 4_096;

/** Creates a directory with files of 4 KiB, all different. */
export async function writeSmallFiles(directory: string, count: number): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (let index = 0; index < count; index += 1)
    await writeFile(path.join(directory, `file ${index}.bin`), randomBytes(CONTENT_BYTES));
}
