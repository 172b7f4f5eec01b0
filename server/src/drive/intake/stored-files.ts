import type { Tx } from '../../database/database.ts';
import type { PlacedEntry } from '../tree/entry.ts';

/** Called in the transaction in which files of one owner come into a drive. */
export type StoredHook = (tx: Tx, files: readonly PlacedEntry[]) => Promise<void> | undefined;

/** Those who want to know of new files, on higher floors. */
export class StoredFiles {
  readonly #hooks: StoredHook[] = [];

  onStored(hook: StoredHook): void {
    this.#hooks.push(hook);
  }

  /** To be called for files that were uploaded, extracted or imported, in the transaction that makes them. */
  async tell(tx: Tx, files: readonly PlacedEntry[]): Promise<void> {
    for (const hook of this.#hooks) await hook(tx, files);
  }
}
