import { Failure } from '../../base/failure.ts';
import type { FileName } from '../../base/text/names/file-name.ts';
import { parseNumberedName, withNumber } from '../../base/text/names/numbered-name.ts';
import type { Db } from '../../database/database.ts';
import { findWalkedEntries, type WalkedEntry } from './tree-reader-queries.ts';

/**
 * The live entries at the top of an archive, in the order of `ids`. Entries with equal names from different
 * directories are numbered: the second "a.txt" becomes "a (2).txt".
 * @throws Failure `not-found` if one of them does not exist
 */
export async function getTopEntries(
  db: Db,
  driveId: number,
  ids: readonly number[],
): Promise<readonly WalkedEntry[]> {
  const found = await findWalkedEntries(db, driveId, ids);
  const byId = new Map(found.map((entry) => [entry.id, entry]));
  const entries = ids.map((id) => {
    const entry = byId.get(id);
    if (entry === undefined) throw new Failure('not-found', 'A file or directory no longer exists.');
    return entry;
  });
  return withDistinctNames(entries);
}

function withDistinctNames(entries: readonly WalkedEntry[]): readonly WalkedEntry[] {
  const names = new Set(entries.map(({ name }) => name));
  const used = new Set<string>();
  const lastNumbers = new Map<string, number>();
  return entries.map((entry) => {
    if (!used.has(entry.name)) {
      used.add(entry.name);
      return entry;
    }
    const parsed = parseNumberedName(entry.name as FileName);
    let number = lastNumbers.get(entry.name) ?? parsed.number;
    let name: string;
    do name = withNumber(parsed, ++number);
    while (names.has(name) || used.has(name));
    lastNumbers.set(entry.name, number);
    used.add(name);
    return { ...entry, name };
  });
}
