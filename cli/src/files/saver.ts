import { stat } from 'node:fs/promises';
import path from 'node:path';
import { ConflictError, type EntryRecord, type Holdall } from '../../../client/src/client.ts';
import { fileSource, saveDownload } from '../../../client/src/node/files.ts';
import type { DriveContext } from '../drive-command.ts';
import type { TransferProgress } from '../terminal/transfer-progress.ts';
import { type ConflictRule, decideConflict, type FileFacts, isSameFile, numberedNames } from './conflicts.ts';

/** An entry of the drive, and where it goes on disk. */
export interface PlannedSave {
  /** Works in the drive of the entry. */
  readonly holdall: Holdall;
  readonly entry: EntryRecord;
  readonly target: string;
}

interface SaverParts {
  readonly context: DriveContext;
  readonly rule: ConflictRule;
  readonly progress: TransferProgress;
}

/** Saves the files of `get` on disk. */
export class Saver {
  readonly #parts: SaverParts;
  /** Where this command saves files. */
  readonly #chosen = new Set<string>();

  constructor(parts: SaverParts) {
    this.#parts = parts;
  }

  /** A failure is only reported, so that the other files continue. @throws the reason of the signal */
  async save({ holdall, entry, target }: PlannedSave): Promise<void> {
    const { signal } = this.#parts.context;
    try {
      const free = await this.#chooseTarget(entry, target);
      if (free === undefined) {
        this.#parts.progress.addSkipped();
        return;
      }
      const source = fileSource(holdall.downloads, entry.id, { signal });
      const saved = {
        path: free,
        modifiedAt: new Date(entry.modifiedAt),
        mayReplace: this.#parts.rule === 'replace',
      };
      await saveDownload(source, saved, (bytes) => this.#parts.progress.addBytes(bytes));
      this.#parts.progress.addFile();
    } catch (error) {
      signal.throwIfAborted();
      this.#parts.progress.addFailed(target, error);
    }
  }

  /** Where to save the file; undefined if it is skipped. @throws Error with a sentence for the user */
  async #chooseTarget(entry: EntryRecord, target: string): Promise<string | undefined> {
    const existing = await findFacts(target);
    if (existing === undefined && this.#choose(target)) return target;
    switch (decideConflict(this.#parts.rule, toFacts(entry), existing ?? CHOSEN)) {
      case 'rename':
        return await this.#findFree(entry, target);
      case 'skip':
        return undefined;
      default:
        if (this.#choose(target)) return target;
        throw new ConflictError('Another file of this command has this name.');
    }
  }

  /** Finds a free numbered name. Undefined if an earlier run has already saved the same file under one. */
  async #findFree(entry: EntryRecord, target: string): Promise<string | undefined> {
    for (const name of numberedNames(path.basename(target))) {
      const free = path.join(path.dirname(target), name);
      const existing = await findFacts(free);
      if (existing === undefined && this.#choose(free)) return free;
      if (existing !== undefined && !existing.isDirectory && isSameFile(existing, toFacts(entry)))
        return undefined;
    }
    return undefined;
  }

  /**
   * False if this command already saves another file there. Names that differ only in case count as equal.
   */
  #choose(target: string): boolean {
    const key = path.resolve(target).toLowerCase();
    if (this.#chosen.has(key)) return false;
    this.#chosen.add(key);
    return true;
  }
}

/** Stands for another file of this command that will be saved under the same name. */
const CHOSEN: FileFacts = { isDirectory: false, size: -1, modifiedAt: new Date(0) };

/** Undefined if nothing exists there. Anything but a file counts as a directory, so it is never replaced. */
async function findFacts(file: string): Promise<FileFacts | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found && { isDirectory: !found.isFile(), size: found.size, modifiedAt: found.mtime };
}

function toFacts({ directory, size, modifiedAt }: EntryRecord): FileFacts {
  return { isDirectory: directory, size, modifiedAt: new Date(modifiedAt) };
}
