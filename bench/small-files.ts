import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { uploadRequest } from './load/requests.ts';
import type { Service } from './service.ts';

const CONTENT_BYTES = 4_096;

/** Yields requests that upload files of 4 KiB, all different. */
export function* smallFiles(service: Service, directory: string, count: number): Iterable<Buffer> {
  for (let index = 0; index < count; index += 1) {
    const target = { directory, filename: `file ${index}.bin`, token: service.token };
    yield uploadRequest(target, randomBytes(CONTENT_BYTES));
  }
}

/** Creates a directory with files of 4 KiB, all different. */
export async function writeSmallFiles(directory: string, count: number): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (let index = 0; index < count; index += 1)
    await writeFile(path.join(directory, `file ${index}.bin`), randomBytes(CONTENT_BYTES));
}
