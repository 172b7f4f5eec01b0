import { readFileSync } from 'node:fs';
import path from 'node:path';
import { IGNORE_FILE, IgnoreRules } from '../rules/ignore-rules.ts';

/** Reads the ignore file of a directory. @throws Error of the file system, unless there is none */
export function readIgnoreRules(root: string): IgnoreRules {
  try {
    return IgnoreRules.parse(readFileSync(path.join(root, IGNORE_FILE), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return IgnoreRules.parse(undefined);
    throw error;
  }
}
