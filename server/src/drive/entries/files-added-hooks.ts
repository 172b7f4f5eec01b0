import type { Tx } from '../../database/database.ts';
import type { EntryWithPath } from './entry.ts';

/** Runs in the transaction that adds files to a drive. All files have the same owner. */
export type FilesAddedHook = (tx: Tx, files: readonly EntryWithPath[]) => Promise<void> | undefined;

/** Runs in the transaction that replaces the content of a file. Each replacement has its own id. */
export type ContentReplacedHook = (
  tx: Tx,
  file: EntryWithPath,
  replacementId: number,
) => Promise<void> | undefined;

/** Hooks of higher features, which run for files that are added to a drive, or get new content. */
export class FilesAddedHooks {
  readonly #hooks: FilesAddedHook[] = [];
  readonly #contentHooks: ContentReplacedHook[] = [];

  onFilesAdded(hook: FilesAddedHook): void {
    this.#hooks.push(hook);
  }

  onContentReplaced(hook: ContentReplacedHook): void {
    this.#contentHooks.push(hook);
  }

  /**
   * Must be called for files that were uploaded, extracted or imported, in the transaction that adds them.
   */
  async run(tx: Tx, files: readonly EntryWithPath[]): Promise<void> {
    for (const hook of this.#hooks) await hook(tx, files);
  }

  /** Must be called in the transaction that replaces the content of a file. */
  async runForContent(tx: Tx, file: EntryWithPath, replacementId: number): Promise<void> {
    for (const hook of this.#contentHooks) await hook(tx, file, replacementId);
  }
}
