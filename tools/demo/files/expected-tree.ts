export interface ExpectedFile {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * What a drive must contain: every operation is applied to the drive and to this tree, and then both are
 * compared. Paths are relative, `/`-separated and in NFC, the form in which the drive stores names.
 */
export class ExpectedTree {
  readonly files = new Map<string, ExpectedFile>();
  readonly directories = new Set<string>();

  /** Adds the directory and its parents. */
  addDirectory(path: string): void {
    for (let at = path; at !== '' && !this.directories.has(at); at = parentOf(at)) this.directories.add(at);
  }

  addFile(path: string, file: ExpectedFile): void {
    this.addDirectory(parentOf(path));
    this.files.set(path, file);
  }

  /** Renames or moves a directory with everything below it. */
  move(from: string, to: string): void {
    this.copy(from, to);
    this.remove(from);
  }

  copy(from: string, to: string): void {
    const { files, directories } = this.#below(from);
    for (const path of directories) this.directories.add(to + path.slice(from.length));
    for (const [path, file] of files) this.files.set(to + path.slice(from.length), file);
  }

  /** Removes the directory and returns its content, for {@link restore}. */
  remove(path: string): ExpectedTree {
    const { files, directories } = this.#below(path);
    const removed = new ExpectedTree();
    for (const [file, expected] of files) {
      this.files.delete(file);
      removed.files.set(file, expected);
    }
    for (const directory of directories) {
      this.directories.delete(directory);
      removed.directories.add(directory);
    }
    return removed;
  }

  restore(removed: ExpectedTree): void {
    for (const directory of removed.directories) this.addDirectory(directory);
    for (const [path, file] of removed.files) this.addFile(path, file);
  }

  /** Directories without content: a ZIP must contain them explicitly, because no file path does. */
  emptyDirectories(): Set<string> {
    const empty = new Set(this.directories);
    for (const path of [...this.files.keys(), ...this.directories]) empty.delete(parentOf(path));
    return empty;
  }

  #below(path: string) {
    const isInside = (candidate: string) => candidate === path || candidate.startsWith(`${path}/`);
    return {
      files: [...this.files].filter(([file]) => isInside(file)),
      directories: [...this.directories].filter(isInside),
    };
  }
}

/** The parent of a relative path; '' is the root of the tree. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
