import path from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { DiskDirectories } from './directories.ts';
import type { DirectoryFlush } from './directory-flush.ts';
import { hasCode, isMissing } from './failures.ts';
import { renameFile, unlinkFile } from './file-system.ts';

const MAX_ATTEMPTS = 8;

/** Gives finished files the names under which they are found, so that the names survive a power cut. */
export class DiskPublishing {
  readonly #flush: DirectoryFlush;
  readonly #directories: DiskDirectories;

  constructor(flush: DirectoryFlush, directories: DiskDirectories) {
    this.#flush = flush;
    this.#directories = directories;
  }

  /** Moves a flushed file to its place. When that fails nothing is there. */
  async publish(temporary: string, target: string): Promise<void> {
    await this.move(temporary, target);
    try {
      await this.flushName(target);
    } catch (error) {
      await removeQuietly(target);
      throw error;
    }
  }

  /** Moves a file to its place, which is not durable before `flushName`. */
  async move(from: string, target: string): Promise<void> {
    await this.inDirectory(path.dirname(target), () => renameFile(from, target));
  }

  /** Makes the name of a file that is in its place durable. */
  async flushName(target: string): Promise<void> {
    const directory = path.dirname(target);
    try {
      // The directory may have been removed and made again right before the rename, by a writer who is still
      // flushing its name: only what is known is durable.
      await this.#directories.ensure(directory);
      await this.#flush.flush(directory);
    } catch (error) {
      // Somebody has removed the directory, and so the object before it: nothing is there to be acknowledged.
      throw isMissing(error) ? lostWrite(error) : error;
    }
  }

  /** Does something in a directory that another instance may remove, because it is empty, at any moment. */
  async inDirectory<T>(directory: string, act: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#directories.ensure(directory);
      try {
        return await act();
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error;
        if (attempt === MAX_ATTEMPTS) throw lostWrite(error);
        this.#directories.forget(directory);
      }
    }
  }
}

/** Something that is not there is no error. */
export async function removeFile(file: string): Promise<void> {
  try {
    await unlinkFile(file);
  } catch (error) {
    // A directory is no object either.
    if (!isMissing(error) && !hasCode(error, 'EISDIR')) throw error;
  }
}

/** For the way out of a failure, which is the one to be told. */
export async function removeQuietly(file: string): Promise<void> {
  await removeFile(file).catch(() => {});
}

function lostWrite(cause: unknown): Failure {
  return new Failure('unavailable', 'The write was lost.', { retryAfterSeconds: 5, cause });
}
