import { accessSync, constants, existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileFromDisk, type SourceFile, type SourceTree } from './source-file.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;

export interface RealDirectory {
  readonly diskPath: string;
  /** Name of its directory in the source tree. */
  readonly name: string;
  readonly maxFiles: number;
}

/**
 * Finds regular files below a directory, in name order, and empty directories. Links, unreadable files, files
 * above 16 MiB and names that no drive can store (a backslash, a control character, invalid UTF-8) are left
 * out.
 */
export function findRealFiles({ diskPath, name, maxFiles }: RealDirectory): SourceTree {
  const files: SourceFile[] = [];
  const directories: string[] = [];
  const visit = (directory: string, at: string) => {
    const entries = readDirectory(directory);
    if (entries?.length === 0) directories.push(at);
    for (const entry of entries ?? []) {
      if (files.length >= maxFiles) return;
      const below = path.join(directory, entry.name);
      if (!canBeName(entry.name)) continue;
      if (entry.isDirectory()) visit(below, `${at}/${entry.name}`);
      else if (entry.isFile() && isReadable(below)) {
        const { size } = lstatSync(below);
        if (size <= MAX_FILE_BYTES) files.push(fileFromDisk(`${at}/${entry.name}`, below, size));
      }
    }
  };
  if (existsSync(diskPath)) visit(diskPath, name);
  return { files, directories };
}

function readDirectory(directory: string) {
  if (!isReadable(directory)) return undefined;
  return readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function canBeName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
  return name.trim() !== '' && !/[\\\u0000-\u001f\u007f-\u009f\ufffd]/.test(name);
}
