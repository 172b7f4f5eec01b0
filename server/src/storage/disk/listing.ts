import type { Dirent, Stats } from 'node:fs';
import path from 'node:path';
import { sortInTurns } from '../../base/concurrency/sort-in-turns.ts';
import { isObjectKey } from '../object-key.ts';
import { isMissing } from './file-system/failures.ts';
import { closeListing, openListing, readListing, statFile } from './file-system/file-system.ts';

/**
 * Lists the files below `<root>/<prefix>` whose path is a valid key, sorted by key. Keeps the names of one
 * directory per level in memory. Files removed meanwhile are left out; files added meanwhile may or may not
 * be listed.
 */
export async function* walkObjects(
  root: string,
  prefix: string,
): AsyncGenerator<{ readonly key: string; readonly stats: Stats }> {
  for (const name of await readNames(path.join(root, prefix))) {
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

/** Directories end with a slash, so that the names sort like the keys below them. */
async function readNames(directory: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const child of listDirectory(directory)) {
    if (child.isDirectory()) names.push(`${child.name}/`);
    else if (child.isFile()) names.push(child.name);
  }
  return await sortInTurns(names, (one, other) => (one < other ? -1 : 1));
}

/** The entries of the directory itself; none if it does not exist. */
export async function* listDirectory(directory: string): AsyncGenerator<Dirent> {
  const listing = await orUndefinedIfMissing(openListing(directory));
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

/** Undefined if nothing exists there, or something other than a plain file. */
export async function findFile(file: string): Promise<Stats | undefined> {
  const stats = await orUndefinedIfMissing(statFile(file));
  return stats?.isFile() ? stats : undefined;
}

async function orUndefinedIfMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
