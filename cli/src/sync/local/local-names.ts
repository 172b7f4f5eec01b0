// Names as the disk has them, and as the drive can have them.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { toFileName } from '../../../../server/src/base/text/names/file-name.ts';

/** Directories that were listed for a rescan, each once. */
export class Listings {
  readonly #byDirectory = new Map<string, ReadonlyMap<string, readonly string[]>>();

  /** The names in a directory that are a certain name in the drive. @throws Error of the file system */
  find(directory: string, name: string): readonly string[] {
    const listed =
      this.#byDirectory.get(directory) ??
      Map.groupBy(readdirSync(directory), (each) => each.normalize('NFC'));
    this.#byDirectory.set(directory, listed);
    return listed.get(name) ?? [];
  }
}

/** Why the drive cannot have a name. */
export function findNameFault(name: string): unknown {
  try {
    toFileName(name);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** A name whose bytes are not UTF-8 is read as another name, which does not exist. */
export function findEncodingFault(name: string): Error | undefined {
  return name.includes('\ufffd') ? new Error('The name is not valid Unicode.') : undefined;
}

/** The paths as bytes that are read as this path. */
export function findRawPaths(file: string): readonly Buffer[] {
  if (!path.basename(file).includes('\ufffd')) return [Buffer.from(file)];
  const directory = path.dirname(file);
  return readdirSync(directory, { encoding: 'buffer' })
    .filter((name) => name.toString() === path.basename(file))
    .map((name) => Buffer.concat([Buffer.from(directory + path.sep), name]));
}
