// Makes sure that the names in a directory survive when the computer loses its power, or a disk is pulled
// out.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * What systems say that cannot do it, or users who may only write there. Their names are as safe as can be.
 */
const IMPOSSIBLE = new Set([
  'EACCES',
  'EBADF',
  'EINVAL',
  'EISDIR',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EPERM',
]);

interface Run {
  hasBegun: boolean;
  done: Promise<void>;
}

/** The newest run of each directory. */
const runs = new Map<string, Run>();

/**
 * Like {@link syncDirectoryNow}, but does not block the event loop. Calls for one directory at the same time
 * share a run.
 * @throws Error of the file system
 */
export function syncDirectory(directory: string): Promise<void> {
  const before = runs.get(directory);
  if (before !== undefined && !before.hasBegun) return before.done;
  const run: Run = { hasBegun: false, done: Promise.resolve() };
  run.done = (before?.done ?? Promise.resolve())
    // Its callers have its error.
    .catch(() => undefined)
    .then(() => {
      run.hasBegun = true;
      return syncOnce(directory);
    })
    .finally(() => {
      if (runs.get(directory) === run) runs.delete(directory);
    });
  runs.set(directory, run);
  return run.done;
}

/**
 * Makes sure that what was made or renamed in a directory survives when the computer loses its power. Where
 * the system cannot do that, nothing happens.
 * @throws Error of the file system
 */
export function syncDirectoryNow(directory: string): void {
  try {
    const file = openSync(directory, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throwUnlessImpossible(error);
  }
}

async function syncOnce(directory: string): Promise<void> {
  try {
    const file = await open(directory, 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throwUnlessImpossible(error);
  }
}

function throwUnlessImpossible(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!IMPOSSIBLE.has(code)) throw error;
}
