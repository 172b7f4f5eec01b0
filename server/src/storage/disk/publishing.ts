import path from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { DiskDirectories } from './file-system/directories.ts';
import type { DirectoryFlush } from './file-system/directory-flush.ts';
import { hasCode, isMissing } from './file-system/failures.ts';
import { renameFile, unlinkFile } from './file-system/file-system.ts';

const MAX_ATTEMPTS = 8;

/**
 * Publishes finished files: renames them to the path of their key, and flushes the directory so that the new
 * name survives a power cut. A file must be flushed before it is published. Otherwise a power cut could leave
 * the name without the bytes.
 */
export class DiskPublishing {
  readonly #flush: DirectoryFlush;
  readonly #directories: DiskDirectories;

  constructor(flush: DirectoryFlush, directories: DiskDirectories) {
    this.#flush = flush;
    this.#directories = directories;
  }

  /**
   * Renames a flushed file to its target and makes the name durable. After a failure nothing is left at the
   * target.
   */
  async publish(temporary: string, target: string): Promise<void> {
    await this.move(temporary, target);
    try {
      await this.flushName(target);
    } catch (error) {
      await removeQuietly(target);
      throw error;
    }
  }

  /** Renames a file to its target. The name becomes durable with `flushName`. */
  async move(from: string, target: string): Promise<void> {
    await this.inDirectory(path.dirname(target), () => renameFile(from, target));
  }

  /** Makes the name of an already renamed file durable. */
  async flushName(target: string): Promise<void> {
    const directory = path.dirname(target);
    try {
      // Just before the rename another writer may have removed and recreated the directory, and may still be
      // flushing its name. `ensure` waits until the directory itself is durable.
      await this.#directories.ensure(directory);
      await this.#flush.flush(directory);
    } catch (error) {
      // The directory was removed, which is possible only after the object was removed. Nothing can be
      // acknowledged.
      throw isMissing(error) ? lostWrite(error) : error;
    }
  }

  /**
   * Runs `action` in an existing directory. Tries again if another instance removes the empty directory
   * meanwhile.
   */
  async inDirectory<T>(directory: string, action: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#directories.ensure(directory);
      try {
        return await action();
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error;
        if (attempt === MAX_ATTEMPTS) throw lostWrite(error);
        this.#directories.removeFromKnown(directory);
      }
    }
  }
}

/** A missing file is not an error. */
export async function removeFile(file: string): Promise<void> {
  try {
    await unlinkFile(file);
  } catch (error) {
    // A directory is not an object: treat it like a missing file.
    if (!isMissing(error) && !hasCode(error, 'EISDIR')) throw error;
  }
}

/** For cleaning up after an error. Ignores its own failure, so that the original error is reported. */
export async function removeQuietly(file: string): Promise<void> {
  await removeFile(file).catch(() => {});
}

function lostWrite(cause: unknown): Failure {
  return new Failure('unavailable', 'The write was lost.', { retryAfterSeconds: 5, cause });
}
