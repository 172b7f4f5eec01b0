import { findStats } from './find-stats.ts';

/** The synced directory was replaced by another one. What is missing there was not deleted by the user. */
export class ReplacedRoot extends Error {
  override readonly name = 'ReplacedRoot';
}

/** Tells the directory that is synced from another one that is at its path later, such as an empty mount point. */
export class RootIdentity {
  readonly #root: string;
  readonly #known: string | undefined;

  /** @throws Error of the file system */
  constructor(root: string) {
    this.#root = root;
    this.#known = this.#read();
  }

  /** @throws ReplacedRoot if it is another directory, or none; Error of the file system */
  check(): void {
    if (this.#known !== undefined && this.#read() === this.#known) return;
    throw new ReplacedRoot(
      `The folder ${this.#root} is no longer the one that was synchronised, so the sync has stopped; ` +
        'is a disk not mounted?',
    );
  }

  #read(): string | undefined {
    const found = findStats(this.#root);
    return found?.isDirectory() === true ? `${found.dev} ${found.ino}` : undefined;
  }
}
