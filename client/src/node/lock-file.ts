import { randomUUID } from 'node:crypto';
import { link, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { isRunning } from './is-running.ts';

/** The locks that this process has, or is about to take: the tokens in their texts. */
const own = new Set<string>();

let knownBootId: Promise<string> | undefined;

/** A regular file is empty for a moment before its text is written; an older one was left so. */
const MAX_EMPTY_MS = 10_000;

/**
 * Creates a file that says which process works here. One that a killed process has left does not count.
 *
 * The file is a symbolic link whose target is the text, because one system call creates both. A process that is killed
 * leaves at most the lock and its takeover lock (`.left`), which the next owner removes; on a disk without symbolic
 * links it may leave a third file. Only the processes of this computer and of this container can be seen: a lock of
 * another one does not protect its files.
 * @returns what removes it; undefined if another process, or this one, works here
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

/** False if the lock of a running process is there. */
async function createOrTakeOver(file: string, text: string): Promise<boolean> {
  // The later attempts after a left file was removed.
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

/** The lock of the process that removes a left lock. */
function takeoverOf(file: string): string {
  return `${file}.left`;
}

/**
 * Removes the lock of a process that has ended. Only one process at a time does so: otherwise the second one would
 * remove the lock that the first one has created since.
 * @param text what the takeover lock says
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

/** False if there is a file. */
async function create(file: string, text: string): Promise<boolean> {
  // Windows refuses symbolic links without a privilege, and memory cards have no links at all.
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

/** Creates a regular file with its text at once. A process that is killed here leaves the prepared file. */
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

/** Whether there is no lock, one of a running process, or one of a process that has ended. */
async function stateOf(file: string): Promise<'free' | 'held' | 'left'> {
  const text = await read(file);
  if (text === undefined) return 'free';
  const isHeld = text === '' ? await isNew(file) : await isOfRunning(text);
  return isHeld ? 'held' : 'left';
}

async function isOfRunning(text: string): Promise<boolean> {
  const [pid, token, bootId] = text.split(' ');
  // The directory of a lock may have been renamed, so that the lock stayed behind.
  if (Number(pid) === process.pid && token !== undefined) return own.has(token);
  const known = await findBootId();
  // After a restart of the computer, another process may have the number.
  if (bootId !== undefined && known !== '' && bootId !== known) return false;
  return isRunning(Number(pid));
}

/** Differs after each start of the computer (Linux, proc(5)); empty where it cannot be read. */
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
