// Compares the names on disk with the names that the drive can store.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { toFileName } from '../../../../server/src/base/text/names/file-name.ts';

/** Directories that were listed for a rescan, each once. */
export class Listings {
  readonly #byDirectory = new Map<string, ReadonlyMap<string, readonly string[]>>();

  /** The names in a directory that become this name in the drive. @throws Error of the file system */
  find(directory: string, name: string): readonly string[] {
    const listed =
      this.#byDirectory.get(directory) ??
      Map.groupBy(readdirSync(directory), (each) => each.normalize('NFC'));
    this.#byDirectory.set(directory, listed);
    return listed.get(name) ?? [];
  }
}

/** Why the drive cannot store a name; undefined if it can. */
export function findNameFault(name: string): unknown {
  try {
    toFileName(name);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** If the bytes of a name are not UTF-8, Node.js returns a different name, which does not exist on disk. */
export function findEncodingFault(name: string): Error | undefined {
  return name.includes('\ufffd') ? new Error('The name is not valid Unicode.') : undefined;
}

/** The raw paths that Node.js decodes to this path. */
export function findRawPaths(file: string): readonly Buffer[] {
  if (!path.basename(file).includes('\ufffd')) return [Buffer.from(file)];
  const directory = path.dirname(file);
  return readdirSync(directory, { encoding: 'buffer' })
    .filter((name) => name.toString() === path.basename(file))
    .map((name) => Buffer.concat([Buffer.from(directory + path.sep), name]));
}
