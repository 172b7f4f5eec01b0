import type { Dirent, Stats } from 'node:fs';
import path from 'node:path';
import { isObjectKey } from '../object-key.ts';
import { isMissing } from './failures.ts';
import { closeListing, openListing, readListing, statFile } from './file-system.ts';

export interface ListedFile {
  readonly key: string;
  readonly stats: Stats;
}

/**
 * Walks the files below `<root>/<prefix>` whose path is a key, in the order of their keys, with the names of one directory
 * per level in memory. What vanishes on the way is left out; what comes on the way may or may not be met.
 */
export async function* walkObjects(root: string, prefix: string): AsyncGenerator<ListedFile> {
  for (const name of await namesIn(path.join(root, prefix))) {
    const isDirectory = name.endsWith('/');
    const child = isDirectory ? name.slice(0, -1) : name;
    const key = prefix === '' ? child : `${prefix}/${child}`;
    if (!isObjectKey(key)) continue;
    if (isDirectory) {
      yield* walkObjects(root, key);
      continue;
    }
    const stats = await findFile(path.join(root, key));
    if (stats !== undefined) yield { key, stats };
  }
}

/** Sorted as the keys below them are: so directories have their slash. */
async function namesIn(directory: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const child of childrenOf(directory)) {
    if (child.isDirectory()) names.push(`${child.name}/`);
    else if (child.isFile()) names.push(child.name);
  }
  return names.sort();
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
