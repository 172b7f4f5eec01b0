import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Runs `work` on a copy of a database whose disk is read-only. Even to read a database, SQLite must write
 * files beside it. The log is copied as well, because it has the newest commits.
 * @throws Error with a sentence if there is no room for the copy
 */
export async function withDatabaseCopy<T>(file: string, work: (copy: string) => Promise<T>): Promise<T> {
  // Accessible to this user only.
  const directory = await mkdtemp(path.join(tmpdir(), 'holdall-rescue-'));
  try {
    const copy = path.join(directory, path.basename(file));
    for (const end of ['', '-wal']) {
      if (existsSync(`${file}${end}`)) await copyFile(`${file}${end}`, `${copy}${end}`);
    }
    return await work(copy);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const isCopying = error instanceof Error && 'syscall' in error && error.syscall === 'copyfile';
    if (!isCopying) throw error;
    throw new Error(
      code === 'ENOSPC'
        ? `The database is copied to ${tmpdir()} to read it, where there is no room. Set TMPDIR to a directory on another disk.`
        : `The database ${file} cannot be read: ${error.message}.`,
      { cause: error },
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
