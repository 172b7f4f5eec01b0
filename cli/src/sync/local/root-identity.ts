import { type DiskIdentity, isSameIdentity } from '../rules/disk-identity.ts';
import { findDiskFacts } from './disk-facts.ts';

/**
 * The synced directory was replaced by another one. So files that are missing there were not deleted by the
 * user.
 */
class ReplacedRoot extends Error {
  override readonly name = 'ReplacedRoot';
}

/**
 * Distinguishes the synced directory from another one that appears at its path later, such as an empty mount
 * point.
 */
export class RootIdentity {
  readonly #root: string;
  readonly #known: DiskIdentity | undefined;

  /** @throws Error of the file system */
  constructor(root: string) {
    this.#root = root;
    this.#known = this.#read();
  }

  get device(): string | undefined {
    return this.#known?.device;
  }

  /** @throws ReplacedRoot if it is another directory, or none; Error of the file system */
  check(): void {
    const found = this.#read();
    if (this.#known !== undefined && found !== undefined && isSameIdentity(found, this.#known)) return;
    throw new ReplacedRoot(
      `The folder ${this.#root} is no longer the one that was synchronised, so the sync has stopped; ` +
        'is a disk not mounted?',
    );
  }

  #read(): DiskIdentity | undefined {
    const found = findDiskFacts(this.#root);
    return found?.isDirectory === true ? found : undefined;
  }
}
