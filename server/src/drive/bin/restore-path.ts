import type { ConflictRule } from '../../base/domain/conflict-rules.ts';
import { Failure } from '../../base/failure.ts';
import type { FileName } from '../../base/text/names/file-name.ts';
import { childOf, type LogicalPath, ROOT_PATH, segmentsOf } from '../../base/text/names/logical-path.ts';
import { parseNumberedName, withNumber } from '../../base/text/names/numbered-name.ts';
import type { Tx } from '../../database/database.ts';
import { nameTaken } from '../entries/directories.ts';
import { findChild } from '../entries/entry-queries.ts';
import { walkPath } from '../entries/path-walk-queries.ts';

const MAX_TRIED_NAMES = 1_000;

/**
 * The directory in which to restore an entry: the one that it was deleted from. If a file now has the name of
 * one of the parent directories, RENAME gives that directory the first numbered name that no file has. So
 * entries that were in one directory return to one directory.
 * @throws Failure `conflict` for the other rules
 */
export async function findRestorePath(
  tx: Tx,
  driveId: number,
  path: LogicalPath,
  rule: ConflictRule,
): Promise<LogicalPath> {
  const names = segmentsOf(path);
  const chain = await walkPath(tx, driveId, names);
  const level = chain.length - 2;
  const [file, directory, name] = [chain[level + 1], chain[level], names[level]];
  if (file === undefined || file.isDirectory || directory === undefined || name === undefined) return path;
  const above = names.slice(0, level);
  if (rule !== 'RENAME') throw parentIsFile([...above, name].reduce(childOf, ROOT_PATH));
  const free = await findDirectoryName(tx, directory.id, name);
  const renamed = [...above, free, ...names.slice(level + 1)].reduce(childOf, ROOT_PATH);
  // If that directory exists already, it may contain a file with the next name of the path.
  return findRestorePath(tx, driveId, renamed, rule);
}

async function findDirectoryName(tx: Tx, directoryId: number, name: FileName): Promise<FileName> {
  const parsed = parseNumberedName(name);
  for (let count = 1; count <= MAX_TRIED_NAMES; count += 1) {
    const candidate = withNumber(parsed, parsed.number + count);
    const taken = await findChild(tx, directoryId, candidate);
    if (taken === undefined || taken.isDirectory) return candidate;
  }
  throw nameTaken(name);
}

function parentIsFile(path: LogicalPath): Failure {
  return new Failure(
    'conflict',
    `A file is at ${path} now, where this entry had a directory. Rename that file, or restore with onConflict RENAME.`,
  );
}
