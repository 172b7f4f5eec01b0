import { type FileHandle, lstat, open, rm } from 'node:fs/promises';
import { ConflictError, type FileSink, type FileSinks } from '../../../client/src/client.ts';
import { completePart, type LockedPart, lockPart } from '../../../client/src/node/files.ts';
import type { ReceiveTarget } from './receive-targets.ts';

/**
 * Writes the files of a direct transfer to parts beside their targets, and renames each when it is complete.
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
      // The sender sends all files, also those that are skipped.
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
      // Those that a killed command left. Without its tag, no stored transfer is continued with these bytes.
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
      // The name by which the transfer tells the sender that the disk is full.
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

  /** After `close` it only waits: another command may have locked the part since. */
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
      // If the file is closed already, it was there a moment ago.
      const isThere = await this.#isThere().catch(() => true);
      await this.#file.close().catch(() => undefined);
      if (isThere) await rm(part, { force: true });
    } finally {
      await unlock();
    }
  }

  /** False if a command that could not see the lock, as on another computer, has replaced the part. */
  async #isThere(): Promise<boolean> {
    const own = await this.#file.stat({ bigint: true });
    const found = await lstat(this.#locked.part, { bigint: true }).catch(() => undefined);
    // The numbers of files do not last on some network disks.
    return found !== undefined && (found.ino === own.ino || found.size === own.size);
  }
}
