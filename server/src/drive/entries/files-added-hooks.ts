import type { Tx } from '../../database/database.ts';
import type { EntryWithPath } from './entry.ts';

/** Called in the transaction in which files of one owner come into a drive. */
export type FilesAddedHook = (tx: Tx, files: readonly EntryWithPath[]) => Promise<void> | undefined;

/** Those who want to know of new files, on higher floors. */
export class FilesAddedHooks {
  readonly #hooks: FilesAddedHook[] = [];

  onFilesAdded(hook: FilesAddedHook): void {
    this.#hooks.push(hook);
  }

  /** To be called for files that were uploaded, extracted or imported, in the transaction that makes them. */
  async run(tx: Tx, files: readonly EntryWithPath[]): Promise<void> {
    for (const hook of this.#hooks) await hook(tx, files);
  }
}
