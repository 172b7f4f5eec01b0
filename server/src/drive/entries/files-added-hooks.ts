import type { Tx } from '../../database/database.ts';
import type { EntryWithPath } from './entry.ts';

/** Runs in the transaction that adds files to a drive. All files have the same owner. */
export type FilesAddedHook = (tx: Tx, files: readonly EntryWithPath[]) => Promise<void> | undefined;

/** Hooks of higher features, which run for files that are added to a drive. */
export class FilesAddedHooks {
  readonly #hooks: FilesAddedHook[] = [];

  onFilesAdded(hook: FilesAddedHook): void {
    this.#hooks.push(hook);
  }

  /**
   * Must be called for files that were uploaded, extracted or imported, in the transaction that adds them.
   */
  async run(tx: Tx, files: readonly EntryWithPath[]): Promise<void> {
    for (const hook of this.#hooks) await hook(tx, files);
  }
}
