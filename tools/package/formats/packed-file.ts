import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file in a package. */
export interface PackedFile {
  /** Relative to the top of the archive, with `/`. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly isExecutable?: boolean;
  /** Overrides the default permissions: 0644, or 0755 for a program. */
  readonly mode?: number;
}

/** Reads the files of a directory at any depth, sorted. @param top their directory in the archive */
export function readFilesBelow(
  directory: string,
  top: string,
  isWanted: (name: string) => boolean = () => true,
): readonly PackedFile[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .map((name) => name.split(path.sep).join('/'))
    .filter(isWanted)
    .sort()
    .map((name) => ({ path: `${top}/${name}`, bytes: readFileSync(path.join(directory, name)) }));
}

/** A text file. */
export function textFile(
  name: string,
  text: string,
  options: { isExecutable?: boolean; mode?: number } = {},
) {
  return { path: name, bytes: Buffer.from(text), ...options };
}
