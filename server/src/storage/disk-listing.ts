import type { Dirent, Stats } from 'node:fs';
import path from 'node:path';
import { isMissing } from './disk-failure.ts';
import { closeListing, openListing, readListing, statFile } from './file-calls.ts';
import { isObjectKey } from './object-key.ts';

export interface ListedFile {
  readonly key: string;
  readonly stats: Stats;
}

/**
 * Walks the files below `<root>/<prefix>` whose path is a key, a part of one directory per level in memory.
 * What vanishes on the way is left out; what comes on the way may or may not be met.
 */
export async function* walkObjects(root: string, prefix: string): AsyncGenerator<ListedFile> {
  for await (const child of childrenOf(path.join(root, prefix))) {
    const key = prefix === '' ? child.name : `${prefix}/${child.name}`;
    if (!isObjectKey(key)) continue;
    if (child.isDirectory()) yield* walkObjects(root, key);
    if (!child.isFile()) continue;
    const stats = await findFile(path.join(root, key));
    if (stats !== undefined) yield { key, stats };
  }
}

/** What lies in the directory itself; nothing where there is none. */
export async function* childrenOf(directory: string): AsyncGenerator<Dirent> {
  const listing = await orMissing(openListing(directory));
  if (listing === undefined) return;
  try {
    for (;;) {
      const child = await readListing(listing);
      if (child === null) return;
      yield child;
    }
  } finally {
    await closeListing(listing);
  }
}

/** Undefined where there is none, or something that is not a plain file. */
export async function findFile(file: string): Promise<Stats | undefined> {
  const stats = await orMissing(statFile(file));
  return stats?.isFile() ? stats : undefined;
}

async function orMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
