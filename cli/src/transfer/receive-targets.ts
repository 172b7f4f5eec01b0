// Where received files are saved. Their names come from a stranger's computer, so no file may end up outside
// the directory that the user has chosen.
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { toSafePaths } from '../../../client/src/client.ts';
import { isPartLocked } from '../../../client/src/node/files.ts';
import { toClosestFileName } from '../../../server/src/base/text/names/file-name.ts';
import { type ConflictRule, numberedNames } from '../files/conflicts.ts';

interface Received {
  readonly name: string;
  readonly relativePath: string | null;
  readonly size: number;
}

/** A file of a transfer, and where it is saved. */
export interface ReceiveTarget {
  /** Its index in the transfer. */
  readonly index: number;
  readonly size: number;
  readonly path: string;
  /** Whether it may replace an existing file. */
  readonly mayReplace: boolean;
}

interface Refused {
  readonly path: string;
  /** Undefined if the user wants to skip it. */
  readonly fault: Error | undefined;
}

export interface ReceivePlan {
  readonly targets: readonly ReceiveTarget[];
  readonly refused: readonly Refused[];
}

/** Chooses a path for each file before anything is written. @throws Error of the file system */
export async function planTargets(
  files: readonly Received[],
  directory: string,
  rule: ConflictRule,
): Promise<ReceivePlan> {
  const targets: ReceiveTarget[] = [];
  const refused: Refused[] = [];
  const chosen = new Set<string>();
  const safePaths = toSafePaths(files);
  for (const [index, { size }] of files.entries()) {
    // File systems limit the bytes of a name, not its letters.
    const segments = (safePaths[index] ?? ['_']).map(toClosestFileName);
    const place = path.join(directory, ...segments);
    const found = await findTarget(directory, segments, rule, chosen);
    if (typeof found === 'string') {
      chosen.add(keyOf(found));
      targets.push({ index, size, path: found, mayReplace: rule === 'replace' });
    } else refused.push({ path: place, fault: found });
  }
  return { targets, refused };
}

/** Returns the path, undefined if the file is skipped, or an error if it cannot be saved. */
async function findTarget(
  directory: string,
  segments: readonly string[],
  rule: ConflictRule,
  chosen: ReadonlySet<string>,
): Promise<string | undefined | Error> {
  const parent = path.join(directory, ...segments.slice(0, -1));
  const name = segments.at(-1) ?? '_';
  const fault = await findParentFault(directory, segments.slice(0, -1));
  if (fault !== undefined) return fault;
  const target = path.join(parent, name);
  const occupant = await findOccupant(target, chosen);
  if (occupant === 'nothing') return target;
  if (rule === 'skip') return undefined;
  if (rule === 'rename') return await findFreeName(parent, name, chosen);
  if (occupant === 'locked') return new Error('Another command is writing this file.');
  if (rule === 'fail') return new Error('A file with this name exists. See --on-conflict.');
  if (occupant === 'file') return target;
  return new Error('A directory, or another file of this transfer, has this name.');
}

/** The first numbered name that is free; undefined if none is. */
async function findFreeName(
  parent: string,
  name: string,
  chosen: ReadonlySet<string>,
): Promise<string | undefined> {
  for (const candidate of numberedNames(name)) {
    const target = path.join(parent, candidate);
    if ((await findOccupant(target, chosen)) === 'nothing') return target;
  }
  return undefined;
}

/**
 * What occupies a path: another file of this transfer (`chosen`), a file that a command is writing
 * (`locked`), or an existing entry.
 */
async function findOccupant(
  target: string,
  chosen: ReadonlySet<string>,
): Promise<'nothing' | 'chosen' | 'locked' | 'file' | 'other'> {
  if (chosen.has(keyOf(target))) return 'chosen';
  if (await isPartLocked(target)) return 'locked';
  const found = await find(target);
  if (found === undefined) return 'nothing';
  return found.isFile() ? 'file' : 'other';
}

/** An error if a parent is not a real directory: a symbolic link could lead out of the chosen directory. */
async function findParentFault(directory: string, folders: readonly string[]): Promise<Error | undefined> {
  let place = directory;
  for (const folder of folders) {
    place = path.join(place, folder);
    const found = await find(place);
    if (found === undefined) return undefined;
    if (!found.isDirectory()) return new Error(`${place} exists and is not a directory.`);
  }
  return undefined;
}

/** Does not follow symbolic links. */
async function find(target: string) {
  try {
    return await lstat(target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** A key for comparing paths. Some file systems ignore case. */
function keyOf(target: string): string {
  return path.resolve(target).toLowerCase();
}
