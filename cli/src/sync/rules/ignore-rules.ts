import ignore, { type Ignore } from 'ignore';

/** A file in the top directory on disk, in `.gitignore` syntax. */
export const IGNORE_FILE = '.holdallignore';

/** Files that file managers leave in every directory they show. */
const JUNK: readonly RegExp[] = [
  /^(\._)?\.DS_Store$/,
  /^Thumbs\.db$/i,
  /^ehthumbs(_vista)?\.db$/i,
  /^desktop\.ini$/i,
];

/** Names of files that are useless on another computer. */
const NEVER_SYNCED: readonly RegExp[] = [
  // Our own part files and locks.
  /^\.holdall-/,
  // Lock files and copies of open documents: LibreOffice, Microsoft Office, Emacs, Vim.
  /^\.~lock\..*#$/,
  /^~\$/,
  /^\.#/,
  /^\..+\.sw[a-p]$/,
  // Unfinished downloads, and the files that network file systems leave in place of deleted ones.
  /\.crdownload$/,
  /^\.nfs[0-9a-f]{8,}/,
  /^\.fuse_hidden/,
  ...JUNK,
];

/** The rules that exclude paths from the sync, on both sides. */
export class IgnoreRules {
  readonly #rules: Ignore | undefined;

  private constructor(rules: Ignore | undefined) {
    this.#rules = rules;
  }

  /** @param text the content of the ignore file; undefined if there is none */
  static parse(text: string | undefined): IgnoreRules {
    return new IgnoreRules(text === undefined ? undefined : ignore().add(text));
  }

  /** Whether an entry is left out. Does not check its parents: the caller has already checked those. */
  ignores(entryPath: string, name: string, isDirectory: boolean): boolean {
    if (NEVER_SYNCED.some((pattern) => pattern.test(name))) return true;
    return this.#rules?.ignores(isDirectory ? `${entryPath}/` : entryPath) ?? false;
  }

  /** Whether an operating system created the file on its own, and the ignore file does not name it. */
  isJunk(entryPath: string, name: string): boolean {
    return JUNK.some((pattern) => pattern.test(name)) && !(this.#rules?.ignores(entryPath) ?? false);
  }

  /** Like {@link ignores}, but also checks the parent directories. */
  ignoresAny(entryPath: string, isDirectory: boolean): boolean {
    const names = entryPath.split('/');
    return names.some((name, index) => {
      const isLast = index === names.length - 1;
      return this.ignores(names.slice(0, index + 1).join('/'), name, isLast ? isDirectory : true);
    });
  }
}
