// Makes sure that the names in a directory survive a power cut, or the removal of a disk.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * The errors of systems that cannot flush directories, and for users who may only write there. In these
 * cases, nothing more can be done.
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

/** The newest flush of each directory. */
const runs = new Map<string, Run>();

/**
 * Like {@link syncDirectoryNow}, but does not block the event loop. Concurrent calls for one directory share
 * a flush.
 * @throws Error of the file system
 */
export function syncDirectory(directory: string): Promise<void> {
  const before = runs.get(directory);
  if (before !== undefined && !before.hasBegun) return before.done;
  const run: Run = { hasBegun: false, done: Promise.resolve() };
  run.done = (before?.done ?? Promise.resolve())
    // The callers handle its error.
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
 * Makes sure that entries created or renamed in a directory survive a power cut. Does nothing if the system
 * cannot do that.
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
