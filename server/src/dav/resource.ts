import { type LogicalPath, parentOf, segmentsOf } from '../base/text/names/logical-path.ts';
import type { Db } from '../database/database.ts';
import { type Drive, type Entry, type EntryWithPath, etagOf, type Place } from '../drive/drive.ts';
import { DavError } from './dav-error.ts';

/** What is at a path: an entry, or nothing. */
export interface Resource {
  readonly path: LogicalPath;
  /** The entries on the path, from the root of the drive, as far as the path exists. */
  readonly chain: readonly Entry[];
  /** Whether the chain ends with the entry itself. */
  readonly exists: boolean;
  readonly entry: Entry | undefined;
}

export async function findResource(
  db: Db,
  drive: Drive,
  driveId: number,
  path: LogicalPath,
): Promise<Resource> {
  const chain = await drive.placement.findChain(db, driveId, path);
  const exists = chain.length === segmentsOf(path).length + 1;
  return { path, chain, exists, entry: exists ? chain.at(-1) : undefined };
}

/** @throws DavError 404 */
export function getEntry({ entry }: Resource): Entry {
  if (entry === undefined) throw new DavError(404, 'There is nothing at this address.');
  return entry;
}

/** An existing resource other than the root. @throws DavError 403 for the root, 404 if there is nothing */
export function getMember(resource: Resource): EntryWithPath {
  const entry = getEntry(resource);
  if (entry.parentId === null) throw new DavError(403, 'The root of the drive cannot be changed.');
  return { entry, parentPath: parentOf(resource.path) };
}

/** Where an entry would be created. @throws DavError 403 for the root, 409 if the directory does not exist */
export function getPlace({ path, chain }: Pick<Resource, 'path' | 'chain'>): Place {
  const names = segmentsOf(path);
  const name = names.at(-1);
  if (name === undefined) throw new DavError(403, 'The root of the drive is always there.');
  const directory = chain[names.length - 1];
  if (directory === undefined || !directory.isDirectory) {
    // RFC 4918, section 9.3.1, section 9.7.1 and section 9.8.5.
    throw new DavError(409, 'The directory above does not exist.');
  }
  return { directory, directoryPath: parentOf(path), name };
}

/**
 * The parent directory of a resource, as a lock target. Undefined for the root, or if the parent does not
 * exist.
 */
export function parentTarget({
  path,
  chain,
}: Resource): { chain: readonly Entry[]; exists: true } | undefined {
  const levels = segmentsOf(path).length;
  return levels === 0 || chain.length < levels ? undefined : { chain: chain.slice(0, levels), exists: true };
}

/** The entity tag with quotes, as it is sent; undefined for a directory, or if nothing exists. */
export function etagOfResource({ entry }: Resource): string | undefined {
  return entry === undefined || entry.isDirectory ? undefined : `"${etagOf(entry)}"`;
}
