import type { Readable } from 'node:stream';
import { mapConcurrently } from '../base/concurrency/map-concurrently.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { readRowFile } from './row-file.ts';

/** The file that lists the objects of a backup, one per line, next to the row files. */
export const OBJECTS = 'objects.jsonl';

const CONCURRENT_COPIES = 4;
const WINDOW = 256;

/** An object of the backup: a line of its list, which is sorted by key. */
export interface ListedObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
}

/** @param file a file that was just written, or checked against its digest */
export async function* listedObjects(file: string): AsyncGenerator<ListedObject> {
  for await (const objects of readRowFile(file)) yield* objects as ListedObject[];
}

/**
 * Copies the objects of a list, several at the same time. Yields the results in windows, in the order of the
 * list.
 * @param file lines of `T`, just written, or checked against its digest
 */
export async function* copyListed<T, R>(
  file: string,
  copyOne: (object: T) => Promise<R>,
): AsyncGenerator<readonly R[]> {
  for await (const lines of readRowFile(file)) {
    for (let start = 0; start < lines.length; start += WINDOW) {
      const objects = lines.slice(start, start + WINDOW) as T[];
      yield await mapConcurrently(objects, CONCURRENT_COPIES, copyOne);
    }
  }
}

/**
 * Writes an object and verifies its size and SHA-256.
 * @param expected a SHA-256 of null is not verified
 * @returns the SHA-256; undefined, without the object in the target, when the bytes differ
 */
export async function writeVerified(
  target: ObjectStore,
  expected: { readonly key: string; readonly size: number; readonly sha256: string | null },
  bytes: Readable,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { key, size, sha256 } = expected;
  const written = await target.write(key, bytes, { signal });
  if (written.size === size && (sha256 ?? written.sha256) === written.sha256) return written.sha256;
  await target.remove([key]);
  return undefined;
}
