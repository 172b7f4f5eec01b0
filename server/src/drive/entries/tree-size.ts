import { Failure } from '../../base/failure.ts';

/** The maximum number of entries of one copy, import or ZIP download, including the top directory. */
export const MAX_TREE_ENTRIES = 100_000;

/** @throws Failure `over-limit` if the tree has more entries than one operation may work on */
export function checkTreeSize(entries: number, maxEntries: number, done: 'copied' | 'downloaded'): void {
  if (entries > maxEntries) throw overTreeSize(maxEntries, done);
}

export function overTreeSize(maxEntries: number, done: 'copied' | 'downloaded'): Failure {
  const limit = maxEntries.toLocaleString('en');
  return new Failure('over-limit', `More than ${limit} files and directories cannot be ${done} at once.`);
}
