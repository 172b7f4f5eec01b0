import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { IgnoreRules } from '../rules/ignore-rules.ts';
import { joinPath } from '../rules/path-map.ts';

/**
 * Whether a directory has nothing but files that systems make on their own, in it and below it. False for an empty
 * one: a person has made it.
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
