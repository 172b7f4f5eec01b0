// Reads the tree on disk. Synchronous calls, because 100,000 of them take a third of the time of asynchronous ones.
import { readdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { toFileName } from '../../../server/src/base/text/names/file-name.ts';
import type { LocalEntry } from './entries.ts';
import { findStats } from './find-stats.ts';
import type { IgnoreRules } from './ignore-rules.ts';
import { isWithin, joinPath, nameOf, PathMap, parentOf } from './path-map.ts';
import { RootIdentity } from './root-identity.ts';

/** Directories after which others get a turn. */
const DIRECTORIES_PER_TURN = 200;

export interface LocalReports {
  /** What is neither a file nor a directory, such as a symbolic link. */
  readonly onSkipped: (localPath: string) => void;
  readonly onFailed: (localPath: string, error: unknown) => void;
}

/** What is on disk. A path that cannot be read, or cannot be synced, counts as unknown, never as deleted. */
export class LocalTree {
  readonly root: string;
  readonly entries = new PathMap<LocalEntry>();
  /** Whatever the disk has at or below these paths is unknown. */
  readonly unknown = new Set<string>();
  readonly #reports: LocalReports;
  readonly #identity: RootIdentity;
  #rules: IgnoreRules;

  /** @throws Error of the file system if the root cannot be read */
  constructor(root: string, rules: IgnoreRules, reports: LocalReports) {
    this.root = root;
    this.#identity = new RootIdentity(root);
    this.#rules = rules;
    this.#reports = reports;
  }

  /** To be called before anything is concluded from what is missing. @throws ReplacedRoot; Error of the file system */
  checkRoot(): void {
    this.#identity.check();
  }

  /** Reads everything. @throws ReplacedRoot; Error of the file system if the root cannot be read */
  async scan(rules: IgnoreRules, signal: AbortSignal): Promise<void> {
    this.checkRoot();
    this.#rules = rules;
    this.entries.clear();
    this.unknown.clear();
    readdirSync(this.root);
    await this.#readBelow('', '', signal);
  }

  /**
   * Reads one path again, with everything below it, after something has happened there.
   * @returns the paths that the tree had or has there
   */
  async rescan(entryPath: string, signal: AbortSignal): Promise<readonly string[]> {
    const parent = parentOf(entryPath);
    const localParent = parent === '' ? '' : this.entries.get(parent)?.localPath;
    const before = this.#deleteTree(entryPath);
    for (const unknown of this.unknown) if (isWithin(unknown, entryPath)) this.unknown.delete(unknown);
    // Its directory is new, too.
    if (localParent === undefined) return [...before, ...(await this.rescan(parent, signal))];
    const target = this.toAbsolute(joinPath(localParent, nameOf(entryPath)));
    const isThere = findStats(target) !== undefined;
    // Its name may be spelled in another way on disk than in the drive.
    const names = isThere ? [nameOf(entryPath)] : readNames(this.toAbsolute(localParent));
    for (const name of names.filter((each) => each.normalize('NFC') === nameOf(entryPath))) {
      const directories: (readonly [string, string])[] = [];
      this.#readEntry(parent, localParent, name, directories);
      for (const [directory, local] of directories) await this.#readBelow(directory, local, signal);
    }
    const found = this.entries.get(entryPath);
    if (found === undefined) return before;
    return [...before, entryPath, ...(found.isDirectory ? this.entries.listBelow(entryPath) : [])];
  }

  /** Reads one entry again, without what is below it. */
  refresh(entryPath: string, localPath: string): LocalEntry | undefined {
    const found = findStats(this.toAbsolute(localPath));
    if (found === undefined || !(found.isFile() || found.isDirectory())) {
      this.entries.delete(entryPath);
      return undefined;
    }
    const entry = toLocalEntry(localPath, found);
    this.entries.set(entryPath, entry);
    return entry;
  }

  isUnknown(entryPath: string): boolean {
    if (this.unknown.size === 0) return false;
    if (this.unknown.has('')) return true;
    for (let at = entryPath; at !== ''; at = parentOf(at)) if (this.unknown.has(at)) return true;
    return false;
  }

  toAbsolute(localPath: string): string {
    return path.join(this.root, localPath);
  }

  /** Where an entry is or would be on disk. */
  locate(entryPath: string): string {
    return this.toAbsolute(this.localPathOf(entryPath));
  }

  /** As {@link locate}, below the root. A new entry is in its directory as the disk spells it. */
  localPathOf(entryPath: string): string {
    const known = this.entries.get(entryPath)?.localPath;
    const parent = parentOf(entryPath);
    if (known !== undefined || parent === '') return known ?? entryPath;
    return joinPath(this.localPathOf(parent), nameOf(entryPath));
  }

  #deleteTree(entryPath: string): readonly string[] {
    const found = this.entries.get(entryPath);
    if (found?.isDirectory === true) return this.entries.deleteTree(entryPath);
    return this.entries.delete(entryPath) ? [entryPath] : [];
  }

  async #readBelow(top: string, localTop: string, signal: AbortSignal): Promise<void> {
    const waiting: (readonly [string, string])[] = [[top, localTop]];
    for (let count = 1; ; count += 1) {
      const next = waiting.pop();
      if (next === undefined) return;
      this.#readDirectory(...next, waiting);
      if (count % DIRECTORIES_PER_TURN === 0) {
        await turn();
        signal.throwIfAborted();
      }
    }
  }

  #readDirectory(directory: string, localPath: string, waiting: (readonly [string, string])[]): void {
    try {
      const names = readdirSync(this.toAbsolute(localPath));
      for (const name of names) this.#readEntry(directory, localPath, name, waiting);
    } catch (error) {
      // It was removed meanwhile; the entry of its parent was read before.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && directory !== '') {
        this.entries.delete(directory);
        return;
      }
      this.unknown.add(directory);
      this.#reports.onFailed(localPath, error);
    }
  }

  #readEntry(
    directory: string,
    localDirectory: string,
    name: string,
    waiting: (readonly [string, string])[],
  ): void {
    const localPath = joinPath(localDirectory, name);
    const entryPath = joinPath(directory, name.normalize('NFC'));
    try {
      const found = findStats(this.toAbsolute(localPath));
      if (found === undefined) {
        // A name whose bytes are not UTF-8 is read as another name.
        if (name.includes('\ufffd')) throw new Error('The name is not valid Unicode.');
        return;
      }
      const isDirectory = found.isDirectory();
      if (this.#rules.ignores(entryPath, name, isDirectory)) return;
      if (!isDirectory && !found.isFile()) {
        this.unknown.add(entryPath);
        this.#reports.onSkipped(localPath);
        return;
      }
      toFileName(name);
      if (this.entries.has(entryPath))
        throw new Error('Another file has the same name, spelled in another way.');
      this.entries.set(entryPath, toLocalEntry(localPath, found));
      if (isDirectory) waiting.push([entryPath, localPath]);
    } catch (error) {
      if (!this.entries.has(entryPath)) this.unknown.add(entryPath);
      this.#reports.onFailed(localPath, error);
    }
  }
}

function readNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function toLocalEntry(localPath: string, found: Stats): LocalEntry {
  const isDirectory = found.isDirectory();
  const { mtimeMs, ctimeMs, ino } = found;
  return { localPath, isDirectory, size: isDirectory ? 0 : found.size, mtimeMs, ctimeMs, ino };
}
