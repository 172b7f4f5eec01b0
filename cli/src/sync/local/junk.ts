import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { IgnoreRules } from '../rules/ignore-rules.ts';
import { joinPath } from '../rules/path-map.ts';

/**
 * Whether a directory and everything below it contains only files that operating systems create on their own.
 * False for an empty directory, because a person has created it.
 * @throws Error of the file system
 */
export function hasOnlyJunk(directory: string, entryPath: string, rules: IgnoreRules): boolean {
  const entries = readdirSync(directory, { withFileTypes: true });
  const directories = entries.filter((entry) => entry.isDirectory());
  const others = entries.filter((entry) => !entry.isDirectory());
  return (
    entries.length > 0 &&
    others.every((entry) => entry.isFile() && rules.isJunk(joinPath(entryPath, entry.name), entry.name)) &&
    directories.every(({ name }) => hasOnlyJunk(path.join(directory, name), joinPath(entryPath, name), rules))
  );
}
