import { type FileHandle, lstat, open, rm } from 'node:fs/promises';
import { ConflictError, type FileSink, type FileSinks } from '../../../client/src/client.ts';
import { completePart, type LockedPart, lockPart } from '../../../client/src/node/files.ts';
import type { ReceiveTarget } from './receive-targets.ts';

/**
 * Writes the files of a direct transfer to part files next to their targets, and renames each when complete.
 * @param onSaved called for each complete file
 */
export function openPartFiles(
  targets: readonly ReceiveTarget[],
  onSaved: (target: ReceiveTarget) => void,
): FileSinks {
  const byIndex = new Map(targets.map((target) => [target.index, target]));
  return {
    begin: async (index) => {
      const target = byIndex.get(index);
      // The sender also sends the files that are skipped here.
      return target === undefined ? NOWHERE : await PartFile.create(target, onSaved);
    },
  };
}

const NOWHERE: FileSink = {
  write: async () => undefined,
  close: async () => undefined,
  abort: async () => undefined,
};

class PartFile implements FileSink {
  readonly #target: ReceiveTarget;
  readonly #locked: LockedPart;
  readonly #file: FileHandle;
  readonly #onSaved: (target: ReceiveTarget) => void;
  #ending: Promise<void> | undefined;

  private constructor(
    target: ReceiveTarget,
    locked: LockedPart,
    file: FileHandle,
    onSaved: (target: ReceiveTarget) => void,
  ) {
    this.#target = target;
    this.#locked = locked;
    this.#file = file;
    this.#onSaved = onSaved;
  }

  static async create(target: ReceiveTarget, onSaved: (target: ReceiveTarget) => void): Promise<PartFile> {
    const locked = await lockPart(target.path);
    try {
      // Delete what a killed command left behind. The tag goes first: a part without its tag is never
      // resumed.
      for (const left of [locked.tag, locked.part]) await rm(left, { force: true });
      return new PartFile(target, locked, await open(locked.part, 'wx'), onSaved);
    } catch (error) {
      await locked.unlock();
      throw error;
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#file.writeFile(bytes);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // By this error name, the transfer tells the sender that the disk is full.
      if (code === 'ENOSPC' || code === 'EDQUOT') {
        throw new DOMException('The disk is full.', 'QuotaExceededError');
      }
      throw error;
    }
  }

  close(): Promise<void> {
    this.#ending ??= this.#finish();
    return this.#ending;
  }

  /** After `close`, it only waits and deletes nothing: another command may have locked the part since. */
  async abort(): Promise<void> {
    this.#ending ??= this.#discard();
    await this.#ending.catch(() => undefined);
  }

  async #finish(): Promise<void> {
    const { part, unlock } = this.#locked;
    try {
      await this.#file.sync();
      if (!(await this.#isThere())) throw new ConflictError(`Another command has replaced ${part}.`);
      await this.#file.close();
      await completePart(part, this.#target);
    } catch (error) {
      await this.#discard();
      throw error;
    }
    await unlock();
    this.#onSaved(this.#target);
  }

  async #discard(): Promise<void> {
    const { part, unlock } = this.#locked;
    try {
      // This fails if the file is already closed. In that case `#finish` has just found the part in its
      // place.
      const isThere = await this.#isThere().catch(() => true);
      await this.#file.close().catch(() => undefined);
      if (isThere) await rm(part, { force: true });
    } finally {
      await unlock();
    }
  }

  /** False if a command that cannot see the lock, for example on another computer, has replaced the part. */
  async #isThere(): Promise<boolean> {
    const own = await this.#file.stat({ bigint: true });
    const found = await lstat(this.#locked.part, { bigint: true }).catch(() => undefined);
    // On some network disks, inode numbers are not stable, so an equal size is enough.
    return found !== undefined && (found.ino === own.ino || found.size === own.size);
  }
}
