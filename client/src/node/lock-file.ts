import { randomUUID } from 'node:crypto';
import { link, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { isRunning } from './is-running.ts';

/** The tokens of the locks that this process holds or is about to take. */
const own = new Set<string>();

let knownBootId: Promise<string> | undefined;

/** A regular file is empty for a moment before its text is written. An older empty one was left behind. */
const MAX_EMPTY_MS = 10_000;

/**
 * Creates a file that names the process that works here. A file left by a killed process does not count.
 *
 * The file is a symbolic link whose target is the text, because a single system call creates both. A killed
 * process leaves at most the lock and its takeover lock (`.left`), which the next owner removes. On a disk
 * without symbolic links, it may leave a third file. Only processes of this computer and this container can
 * be seen, so locks from elsewhere do not protect their files.
 * @returns a function that removes the lock; undefined if another process, or this one, already works here
 */
export async function lockFile(file: string): Promise<(() => Promise<void>) | undefined> {
  const token = randomUUID();
  const text = [process.pid, token, await findBootId()].join(' ').trimEnd();
  own.add(token);
  let hasLock = false;
  try {
    hasLock = await createOrTakeOver(file, text);
  } finally {
    if (!hasLock) own.delete(token);
  }
  return hasLock ? () => unlock(file, token, text) : undefined;
}

/** Whether a running process has this lock. */
export async function isLocked(file: string): Promise<boolean> {
  return (await stateOf(file)) === 'held';
}

/** Returns false if a running process holds the lock. */
async function createOrTakeOver(file: string, text: string): Promise<boolean> {
  // Tries again after a leftover lock was removed.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (await create(file, text)) return true;
    if ((await stateOf(file)) === 'held') return false;
    await removeLeft(file, text);
  }
  return false;
}

async function unlock(file: string, token: string, text: string): Promise<void> {
  try {
    if ((await read(file)) === text) await rm(file, { force: true });
    await removeIfLeft(takeoverOf(file));
  } finally {
    own.delete(token);
  }
}

/** The path of the takeover lock, held by a process while it removes a leftover lock. */
function takeoverOf(file: string): string {
  return `${file}.left`;
}

/**
 * Removes the lock of a process that has ended. Only one process at a time may do so: otherwise a second one
 * could remove the lock that the first one has just created.
 * @param text the text for the takeover lock
 */
async function removeLeft(file: string, text: string): Promise<void> {
  const takeover = takeoverOf(file);
  if (!(await create(takeover, text))) return await removeIfLeft(takeover);
  try {
    await removeIfLeft(file);
  } finally {
    await rm(takeover, { force: true });
  }
}

async function removeIfLeft(file: string): Promise<void> {
  if ((await stateOf(file)) === 'left') await rm(file, { force: true });
}

/** Returns false if the file already exists. */
async function create(file: string, text: string): Promise<boolean> {
  // Windows allows symbolic links only with a privilege, and memory cards support no links at all.
  for (const createWhole of [symlink, createLinked]) {
    try {
      await createWhole(text, file);
      return true;
    } catch (error) {
      if (isExisting(error)) return false;
    }
  }
  try {
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (isExisting(error)) return false;
    throw error;
  }
}

/** Creates a regular file together with its text. A process killed in between leaves the prepared file. */
async function createLinked(text: string, file: string): Promise<void> {
  const prepared = `${file}.${randomUUID()}`;
  try {
    await writeFile(prepared, text, { flag: 'wx' });
    await link(prepared, file);
  } finally {
    await rm(prepared, { force: true });
  }
}

function isExisting(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST';
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** The text of a lock; undefined if there is none. */
async function read(file: string): Promise<string | undefined> {
  try {
    return await readlink(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    return await readFile(file, 'utf8').catch(() => undefined);
  }
}

/** Free: there is no lock. Held: its process is running. Left: its process has ended. */
async function stateOf(file: string): Promise<'free' | 'held' | 'left'> {
  const text = await read(file);
  if (text === undefined) return 'free';
  const isHeld = text === '' ? await isNew(file) : await isOfRunning(text);
  return isHeld ? 'held' : 'left';
}

async function isOfRunning(text: string): Promise<boolean> {
  const [pid, token, bootId] = text.split(' ');
  // Not held if this process does not know the token: its directory may have been renamed with the lock in
  // it.
  if (Number(pid) === process.pid && token !== undefined) return own.has(token);
  const known = await findBootId();
  // After a restart of the computer, another process may have the same id.
  if (bootId !== undefined && known !== '' && bootId !== known) return false;
  return isRunning(Number(pid));
}

/** An id that changes with each start of the computer (Linux, proc(5)); empty if it cannot be read. */
function findBootId(): Promise<string> {
  knownBootId ??= readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
  return knownBootId;
}

async function isNew(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs < MAX_EMPTY_MS;
}
