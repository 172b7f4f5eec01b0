import ignore, { type Ignore } from 'ignore';

/** In the top directory on disk, in the syntax of `.gitignore`. */
export const IGNORE_FILE = '.holdallignore';

/** Names that are of no use on another computer. */
const NEVER_SYNCED: readonly RegExp[] = [
  // Own part files and locks.
  /^\.holdall-/,
  // Lock files and copies of open documents: LibreOffice, Microsoft Office, Emacs, Vim.
  /^\.~lock\..*#$/,
  /^~\$/,
  /^\.#/,
  /^\..+\.sw[a-p]$/,
  // Unfinished downloads, and what a network file system keeps of a deleted file.
  /\.crdownload$/,
  /^\.nfs[0-9a-f]{8,}/,
  /^\.fuse_hidden/,
  // What file browsers leave.
  /^\.DS_Store$/,
  /^Thumbs\.db$/i,
  /^desktop\.ini$/i,
];

/** Which paths are not synced, on either side. */
export class IgnoreRules {
  readonly #rules: Ignore | undefined;

  private constructor(rules: Ignore | undefined) {
    this.#rules = rules;
  }

  /** @param text of the ignore file; undefined if there is none */
  static parse(text: string | undefined): IgnoreRules {
    return new IgnoreRules(text === undefined ? undefined : ignore().add(text));
  }

  /** Whether one entry is left out. Its directories have been asked about before. */
  ignores(entryPath: string, name: string, isDirectory: boolean): boolean {
    if (NEVER_SYNCED.some((pattern) => pattern.test(name))) return true;
    return this.#rules?.ignores(isDirectory ? `${entryPath}/` : entryPath) ?? false;
  }

  /** As {@link ignores}, with the directories above. */
  ignoresAny(entryPath: string, isDirectory: boolean): boolean {
    const names = entryPath.split('/');
    return names.some((name, index) => {
      const isLast = index === names.length - 1;
      return this.ignores(names.slice(0, index + 1).join('/'), name, isLast ? isDirectory : true);
    });
  }
}
