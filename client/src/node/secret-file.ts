// Files that only their owner can read, such as a login.
import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isRunning } from './is-running.ts';
import { syncDirectory } from './sync-directory.ts';

/** The suffix of temporary files after the file's name: the id of the writing process, and a UUID. */
const TEMPORARY = /^\.([0-9]{1,10})\.([0-9a-f-]{36})\.new$/;

/**
 * Far longer than writing a file takes. The process id alone does not tell whether a file is stale, because
 * processes in other containers cannot be seen.
 */
const STALE_MS = 30_000;

/** The UUIDs of the temporary files that this process is writing. */
const writing = new Set<string>();

/**
 * Replaces a file atomically: a reader sees either the old text or the new one, even after a power cut. Also
 * removes old temporary files of killed processes.
 * @throws Error of the file system
 */
export async function writeSecretFile(file: string, text: string): Promise<void> {
  const id = randomUUID();
  const temporary = `${file}.${process.pid}.${id}.new`;
  writing.add(id);
  try {
    await writeNew(temporary, text);
    await rename(temporary, file);
    await syncDirectory(path.dirname(file));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    writing.delete(id);
  }
  // The file is already written, so errors here do not matter.
  await removeTemporaryFiles(file).catch(() => undefined);
}

/** Removes a file, and old temporary files of killed processes. @throws Error of the file system */
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
    const [, pid, id] = TEMPORARY.exec(name.slice(start.length)) ?? [];
    if (pid === undefined || id === undefined) continue;
    const isWriting = Number(pid) === process.pid ? writing.has(id) : isRunning(Number(pid));
    const temporary = path.join(directory, name);
    if (!isWriting && (await isOld(temporary))) await rm(temporary, { force: true });
  }
}

async function isOld(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
}
