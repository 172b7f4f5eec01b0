// Files that only their owner can read, such as a login.
import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isRunning } from './is-running.ts';

/** What follows the name of the file: the number of the process that writes, and a UUID. */
const TEMPORARY = /^\.([0-9]{1,10})\.[0-9a-f-]{36}\.new$/;

/**
 * Replaces a file as a whole: a reader sees the old text or the new one, also after a loss of power. The temporary
 * files of killed processes are removed.
 * @throws Error of the file system
 */
export async function writeSecretFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.${randomUUID()}.new`;
  try {
    await writeNew(temporary, text);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await removeTemporaryFiles(file);
}

/** Removes the file, and the temporary files of killed processes. @throws Error of the file system */
export async function removeSecretFile(file: string): Promise<void> {
  await rm(file, { force: true });
  await removeTemporaryFiles(file);
}

async function writeNew(file: string, text: string): Promise<void> {
  const opened = await open(file, 'wx', 0o600);
  try {
    await opened.writeFile(text);
    await opened.sync();
  } finally {
    await opened.close();
  }
}

async function removeTemporaryFiles(file: string): Promise<void> {
  const directory = path.dirname(file);
  const start = path.basename(file);
  for (const name of await readdir(directory).catch(() => [])) {
    if (!name.startsWith(start)) continue;
    const [, pid] = TEMPORARY.exec(name.slice(start.length)) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(path.join(directory, name), { force: true });
  }
}
