import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { FileSink, FileSinks } from '../../../client/src/client.ts';
import { renameToFree } from '../../../client/src/node/files.ts';
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
  readonly #part: string;
  readonly #file: FileHandle;
  readonly #onSaved: (target: ReceiveTarget) => void;

  private constructor(
    target: ReceiveTarget,
    part: string,
    file: FileHandle,
    onSaved: (target: ReceiveTarget) => void,
  ) {
    this.#target = target;
    this.#part = part;
    this.#file = file;
    this.#onSaved = onSaved;
  }

  static async create(target: ReceiveTarget, onSaved: (target: ReceiveTarget) => void): Promise<PartFile> {
    const directory = path.dirname(target.path);
    await mkdir(directory, { recursive: true });
    const part = path.join(directory, `.holdall-${randomUUID()}.part`);
    return new PartFile(target, part, await open(part, 'wx'), onSaved);
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

  async close(): Promise<void> {
    await this.#file.sync();
    await this.#file.close();
    const { path: target, mayReplace } = this.#target;
    try {
      await (mayReplace ? rename(this.#part, target) : renameToFree(this.#part, target));
    } catch (error) {
      await rm(this.#part, { force: true });
      throw error;
    }
    this.#onSaved(this.#target);
  }

  async abort(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#part, { force: true });
  }
}
