import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';

/** The locks of this process: what their files say besides its number. */
const own = new Set<string>();

/**
 * Creates a file that says which process works here. One that a killed process has left does not count.
 * @returns what removes it; undefined if another process, or this one, works here
 */
export async function lockFile(file: string): Promise<(() => Promise<void>) | undefined> {
  // The second time after a left file was removed.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const token = randomUUID();
    own.add(token);
    if (await create(file, `${process.pid} ${token}`)) {
      return async () => {
        own.delete(token);
        await rm(file, { force: true });
      };
    }
    own.delete(token);
    if (await isHeld(file)) return undefined;
    await removeLeft(file);
  }
  return undefined;
}

/** Creates the file with its content at once, so that nobody reads an empty one. False if there is one. */
async function create(file: string, content: string): Promise<boolean> {
  const prepared = `${file}.${randomUUID()}`;
  await writeFile(prepared, content, { flag: 'wx' });
  try {
    await link(prepared, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    // File systems without links, such as those of memory cards.
    return await createUnlinked(file, content);
  } finally {
    await rm(prepared, { force: true });
  }
}

async function createUnlinked(file: string, content: string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the file of a process that has ended, unless another process has replaced it meanwhile. */
async function removeLeft(file: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if (await isHeld(aside)) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

async function isHeld(file: string): Promise<boolean> {
  const [pid, token] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
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
