import { ConflictError } from '../../../client/src/client.ts';
import { toFileName } from '../../../server/src/base/text/names/file-name.ts';
import { parseNumberedName, withNumber } from '../../../server/src/base/text/names/numbered-name.ts';

/** What happens if a name is taken by a file with other content. */
export const CONFLICT_RULES = ['fail', 'skip', 'rename', 'replace'] as const;
export type ConflictRule = (typeof CONFLICT_RULES)[number];

/** The option of all commands that write files. */
export const ON_CONFLICT = {
  type: 'string',
  value: 'RULE',
  does: 'if the name exists with other content: fail (default), skip, rename or replace',
} as const;

export const JOBS = { type: 'string', short: 'j', value: 'N', does: 'files at a time (default 8)' } as const;

/** The number of files that are transferred at a time. */
export const DEFAULT_JOBS = 8;

/** Whether two files count as the same: equal size, and modified in the same millisecond. */
export function isSameFile(
  a: { readonly size: number; readonly modifiedAt: Date },
  b: { readonly size: number; readonly modifiedAt: Date },
): boolean {
  return a.size === b.size && a.modifiedAt.getTime() === b.modifiedAt.getTime();
}

/** A file that is sent or saved, or the entry that already has its name. */
export interface FileFacts {
  readonly isDirectory: boolean;
  readonly size: number;
  readonly modifiedAt: Date;
}

/** The action for a file: `create` if its name is free, otherwise that of the rule. */
type ConflictAction = 'create' | Exclude<ConflictRule, 'fail'>;

/**
 * The rules of `put` and `get`. If the target already has the same file, it is skipped under every rule.
 * @param existing the entry that has the name; undefined if the name is free
 * @throws ConflictError with a sentence for the user
 */
export function decideConflict(
  rule: ConflictRule,
  file: FileFacts,
  existing: FileFacts | undefined,
): ConflictAction {
  if (existing === undefined) return 'create';
  if (!existing.isDirectory && isSameFile(existing, file)) return 'skip';
  if (rule === 'fail') {
    throw new ConflictError('A file with this name and other content exists. See --on-conflict.');
  }
  if (rule === 'replace' && existing.isDirectory) {
    throw new ConflictError('A directory with this name exists.');
  }
  return rule;
}

/**
 * Yields names for a file whose name is taken, as the service chooses them: `a (2).txt`, `a (3).txt` and so
 * on, endlessly.
 */
export function* numberedNames(name: string): Generator<string, never, undefined> {
  const parsed = parseNumberedName(toFileName(name));
  for (let number = parsed.number + 1; ; number += 1) yield withNumber(parsed, number);
}
