import { randomUUID } from 'node:crypto';
import { readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';

/** The locks of this process: what their files say besides its number. */
const own = new Set<string>();

/**
 * Creates a file that says which process works here. One that a killed process has left does not count.
 *
 * The file is a symbolic link whose target is the text: one system call creates both. A file and its content are
 * two steps, and a process that is killed in between leaves a file that says nothing.
 * @returns what removes it; undefined if another process, or this one, works here
 */
export async function lockFile(file: string): Promise<(() => Promise<void>) | undefined> {
  const left = leftFileOf(file);
  // The second time after a left file was removed.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const token = randomUUID();
    own.add(token);
    if (await create(file, `${process.pid} ${token}`)) {
      return async () => {
        own.delete(token);
        // Another process may just have moved the lock to this name.
        await rm(left, { force: true });
        await rm(file, { force: true });
      };
    }
    own.delete(token);
    if (isHeld(await read(file))) return undefined;
    await removeLeft(file, left);
  }
  return undefined;
}

/** Where a lock is moved before it is removed. One name, so that the next lock removes what a kill leaves there. */
function leftFileOf(file: string): string {
  return `${file}.left`;
}

/** False if there is a file. */
async function create(file: string, text: string): Promise<boolean> {
  try {
    await symlink(text, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // File systems without symbolic links, such as those of memory cards.
    return await createRegular(file, text);
  }
}

async function createRegular(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The text of a lock; empty if there is none. */
async function read(file: string): Promise<string> {
  return await readlink(file).catch(() => readFile(file, 'utf8').catch(() => ''));
}

/** Removes the file of a process that has ended, unless another process has replaced it meanwhile. */
async function removeLeft(file: string, left: string): Promise<void> {
  try {
    await rename(file, left);
  } catch {
    return;
  }
  const text = await read(left);
  if (isHeld(text)) await create(file, text);
  await rm(left, { force: true });
}

function isHeld(text: string): boolean {
  const [pid, token] = text.split(' ');
  // The directory of a lock may have been renamed, so that the lock stayed behind.
  if (Number(pid) === process.pid && token !== undefined) return own.has(token);
  return isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
