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
  does: 'if a name is taken by another content: fail (default), skip, rename or replace',
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

/** A file that is sent or saved, or what has its name. */
export interface FileFacts {
  readonly isDirectory: boolean;
  readonly size: number;
  readonly modifiedAt: Date;
}

/** The action for a file: `create` if its name is free, otherwise the one of the rule. */
type ConflictAction = 'create' | Exclude<ConflictRule, 'fail'>;

/**
 * The rules of `put` and `get`. A file that is there already is skipped, whatever the rule.
 * @param existing what has the name; undefined if it is free
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
    throw new ConflictError('A file with this name and another content exists. See --on-conflict.');
  }
  if (rule === 'replace' && existing.isDirectory) {
    throw new ConflictError('There is a directory with the name of this file.');
  }
  return rule;
}

/**
 * The names for a file whose name is taken, as the service gives them: `a (2).txt`, `a (3).txt`. Without end.
 */
export function* numberedNames(name: string): Generator<string, never, undefined> {
  const parsed = parseNumberedName(toFileName(name));
  for (let number = parsed.number + 1; ; number += 1) yield withNumber(parsed, number);
}
