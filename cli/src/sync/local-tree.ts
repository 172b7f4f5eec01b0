// Reads the tree on disk. Synchronous calls, because 100,000 of them take a third of the time of asynchronous ones.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { ConflictError } from '../../../client/src/client.ts';
import { toFileName } from '../../../server/src/base/text/names/file-name.ts';
import { type DiskFacts, findDiskFacts, isDirectoryOn } from './disk-facts.ts';
import type { LocalEntry } from './entries.ts';
import type { IgnoreRules } from './ignore-rules.ts';
import { findChangedMounts, type KnownMounts } from './mounts.ts';
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
  /** The directories that are on another disk than the one above them. */
  readonly mountPoints = new Set<string>();
  readonly #reports: LocalReports;
  readonly #identity: RootIdentity;
  readonly #known: KnownMounts;
  #rules: IgnoreRules;

  /** @throws Error of the file system if the root cannot be read */
  constructor(
    root: string,
    {
      rules,
      known,
      reports,
    }: {
      readonly rules: IgnoreRules;
      readonly known: KnownMounts;
      readonly reports: LocalReports;
    },
  ) {
    this.root = root;
    this.#known = known;
    this.#identity = new RootIdentity(root);
    this.#rules = rules;
    this.#reports = reports;
  }

  /**
   * To be called before anything is concluded from what is missing. What is below the root and was missing together
   * with its disk becomes unknown.
   * @throws ReplacedRoot; Error of the file system
   */
  checkDisks(): void {
    this.#identity.check();
    for (const mountPoint of [...this.mountPoints]) {
      const entry = this.entries.get(mountPoint);
      if (entry?.isMountPoint !== true || isDirectoryOn(this.toAbsolute(entry.localPath), entry.device))
        continue;
      this.#leaveOut(mountPoint, 'Its disk was taken away while it was read.');
    }
  }

  /**
   * To be called before an entry is changed: nothing is written through a symbolic link that has taken the place of a
   * directory, or to another disk than the known one.
   * @throws ReplacedRoot; ConflictError
   */
  checkAbove(entryPath: string): void {
    this.#identity.check();
    const changed = this.#findChangedAbove(entryPath);
    if (changed !== undefined)
      throw new ConflictError(`${changed} is not the directory any more that it was.`);
  }

  /**
   * Reads everything.
   * @param acceptsMounts whether what is on disk is read also where another disk is mounted than at the last sync
   * @throws ReplacedRoot; Error of the file system if the root cannot be read
   */
  async scan(rules: IgnoreRules, signal: AbortSignal, acceptsMounts = false): Promise<void> {
    this.#identity.check();
    this.#rules = rules;
    this.entries.clear();
    this.unknown.clear();
    this.mountPoints.clear();
    readdirSync(this.root);
    await this.#readBelow('', '', signal);
    if (!acceptsMounts) this.#leaveOutChangedMounts();
  }

  /**
   * Reads one path again, with everything below it, after something has happened there.
   * @returns the paths that the tree had or has there
   */
  async rescan(entryPath: string, signal: AbortSignal): Promise<readonly string[]> {
    const changed = this.#findChangedAbove(entryPath);
    if (changed !== undefined) return await this.rescan(changed, signal);
    const parent = parentOf(entryPath);
    const localParent = parent === '' ? '' : this.entries.get(parent)?.localPath;
    const before = this.#deleteTree(entryPath);
    for (const unknown of this.unknown) if (isWithin(unknown, entryPath)) this.unknown.delete(unknown);
    // Its directory is new, too.
    if (localParent === undefined) return [...before, ...(await this.rescan(parent, signal))];
    for (const name of this.#findSpellings(entryPath, localParent)) {
      const directories: (readonly [string, string])[] = [];
      this.#readEntry(parent, localParent, name, directories);
      for (const [directory, local] of directories) await this.#readBelow(directory, local, signal);
    }
    this.#leaveOutChangedMounts();
    const found = this.entries.get(entryPath);
    if (found === undefined) return before;
    return [...before, entryPath, ...(found.isDirectory ? this.entries.listBelow(entryPath) : [])];
  }

  /** Reads one entry again, without what is below it. */
  refresh(entryPath: string, localPath: string): LocalEntry | undefined {
    const found = findDiskFacts(this.toAbsolute(localPath));
    if (found === undefined || !(found.isFile || found.isDirectory)) {
      this.entries.delete(entryPath);
      return undefined;
    }
    return this.#setEntry(entryPath, localPath, found);
  }

  /** The device of the directory that an entry is in, or of the closest one above that there is. */
  deviceAbove(entryPath: string): string | undefined {
    const parent = parentOf(entryPath);
    if (parent === '') return this.#identity.device;
    return this.entries.get(parent)?.device ?? this.deviceAbove(parent);
  }

  /** Writes that an entry was moved, with everything below it. */
  noteMove(from: string, to: string): void {
    const localTo = this.localPathOf(to);
    const localFrom = this.entries.get(from)?.localPath ?? from;
    for (const [before, after] of this.entries.moveTree(from, to)) {
      const entry = this.entries.get(after);
      if (entry === undefined) continue;
      this.entries.set(after, { ...entry, localPath: localTo + entry.localPath.slice(localFrom.length) });
      if (this.mountPoints.delete(before)) this.mountPoints.add(after);
    }
    // Otherwise what is unknown there would count as missing at its new path.
    for (const unknown of [...this.unknown].filter((each) => isWithin(each, from))) {
      this.unknown.delete(unknown);
      this.unknown.add(to + unknown.slice(from.length));
    }
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

  /** The names on disk that an entry may have, as they are spelled there. */
  #findSpellings(entryPath: string, localParent: string): readonly string[] {
    const name = nameOf(entryPath);
    try {
      if (findDiskFacts(this.toAbsolute(joinPath(localParent, name))) !== undefined) return [name];
      // It may be spelled in another way on disk than in the drive.
      return readdirSync(this.toAbsolute(localParent)).filter((each) => each.normalize('NFC') === name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      this.unknown.add(entryPath);
      this.#reports.onFailed(joinPath(localParent, name), error);
      return [];
    }
  }

  /** The outermost directory above that is gone, or on another disk than before. */
  #findChangedAbove(entryPath: string): string | undefined {
    const above: string[] = [];
    for (let at = parentOf(entryPath); at !== ''; at = parentOf(at)) above.unshift(at);
    return above.find((at) => {
      const entry = this.entries.get(at);
      return entry !== undefined && !isDirectoryOn(this.toAbsolute(entry.localPath), entry.device);
    });
  }

  #leaveOutChangedMounts(): void {
    const candidates = [...this.#known.mountPoints, ...this.mountPoints].filter(
      (each) => !this.isUnknown(each) && !this.#rules.ignoresAny(each, true),
    );
    for (const [mountPoint, reason] of findChangedMounts(this.#known, this.entries, candidates)) {
      this.#leaveOut(mountPoint, reason);
    }
  }

  #leaveOut(entryPath: string, reason: string): void {
    this.#deleteTree(entryPath);
    this.unknown.add(entryPath);
    this.#reports.onFailed(entryPath, new Error(reason));
  }

  #setEntry(entryPath: string, localPath: string, found: DiskFacts): LocalEntry {
    const { isDirectory, mtimeMs, ctimeMs, device, inode } = found;
    const isMountPoint = isDirectory && device !== this.deviceAbove(entryPath);
    if (isMountPoint) this.mountPoints.add(entryPath);
    else this.mountPoints.delete(entryPath);
    const size = isDirectory ? 0 : found.size;
    const entry = { localPath, isDirectory, size, mtimeMs, ctimeMs, device, inode, isMountPoint };
    this.entries.set(entryPath, entry);
    return entry;
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
      // A disk that is mounted when it is needed is there from now on.
      if (this.mountPoints.has(directory)) this.refresh(directory, localPath);
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
    const nfcName = name.normalize('NFC');
    // The same text twice takes memory twice.
    const isSpelledAlike = directory === localDirectory && name === nfcName;
    const entryPath = isSpelledAlike ? localPath : joinPath(directory, nfcName);
    try {
      const found = findDiskFacts(this.toAbsolute(localPath));
      if (found === undefined) {
        // A name whose bytes are not UTF-8 is read as another name.
        if (name.includes('\ufffd')) throw new Error('The name is not valid Unicode.');
        return;
      }
      const { isDirectory } = found;
      if (this.#rules.ignores(entryPath, name, isDirectory)) return;
      if (!isDirectory && !found.isFile) {
        this.unknown.add(entryPath);
        this.#reports.onSkipped(localPath);
        return;
      }
      toFileName(name);
      if (this.entries.has(entryPath))
        throw new Error('Another file has the same name, spelled in another way.');
      this.#setEntry(entryPath, localPath, found);
      if (isDirectory) waiting.push([entryPath, localPath]);
    } catch (error) {
      if (!this.entries.has(entryPath)) this.unknown.add(entryPath);
      this.#reports.onFailed(localPath, error);
    }
  }
}
