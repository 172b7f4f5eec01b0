import { isWithin } from './path-map.ts';

/** Converts between absolute paths in the drive and paths relative to the pair's directory. */
export class RemotePaths {
  readonly #root: string;

  /** @param root an absolute path of the drive */
  constructor(root: string) {
    this.#root = root;
  }

  /** The path relative to the root; undefined if it is elsewhere. */
  toRelative(path: string): string | undefined {
    if (this.#root === '/') return path.slice(1);
    return path.startsWith(`${this.#root}/`) ? path.slice(this.#root.length + 1) : undefined;
  }

  toAbsolute(path: string): string {
    if (path === '') return this.#root;
    return this.#root === '/' ? `/${path}` : `${this.#root}/${path}`;
  }

  /** Whether an absolute path is the root or one of its parents. */
  isAtOrAboveRoot(path: string): boolean {
    return isWithin(this.#root.slice(1), path.slice(1));
  }
}
