// Reads the tree on disk. Synchronous calls, because 100,000 of them take a third of the time of asynchronous
// ones.

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { ConflictError } from '../../../../client/src/client.ts';
import { quoteInAscii } from '../../terminal/escape.ts';
import { findChangedMounts, type KnownMounts } from '../rules/changed-mounts.ts';
import type { LocalEntry } from '../rules/entries.ts';
import { findEqualNames, mayHaveOtherForm } from '../rules/equal-names.ts';
import type { IgnoreRules } from '../rules/ignore-rules.ts';
import { isWithin, joinPath, nameOf, PathMap, parentOf } from '../rules/path-map.ts';
import { type DiskFacts, findDiskFacts, isDirectoryOn } from './disk-facts.ts';
import { drainInTurns } from './drain-in-turns.ts';
import { type LocalContent, openLocalContent } from './local-content.ts';
import { findEncodingFault, findNameFault, findRawPaths, Listings } from './local-names.ts';
import { RootIdentity } from './root-identity.ts';
import { UnstorableEntries } from './unstorable-entries.ts';

export interface LocalReports {
  /** What is neither a file nor a directory, such as a symbolic link. */
  readonly onSkipped: (localPath: string) => void;
  readonly onFailed: (localPath: string, error: unknown) => void;
}

/** What is on disk. A path that cannot be read, or cannot be synced, counts as unknown, never as deleted. */
export class LocalTree {
  readonly root: string;
  readonly entries = new PathMap<LocalEntry>();
  /** The content of the disk at and below these paths is unknown. */
  readonly unknown = new Set<string>();
  /** The directories that are on another disk than the one above them. */
  readonly mountPoints = new Set<string>();
  /**
   * Called with the path of each directory just before it is read, so that what changes from then on is
   * noticed.
   */
  beforeReading: ((directory: string) => void) | undefined;
  readonly #unstorable = new UnstorableEntries();
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
   * Call it before missing entries are treated as deleted. Entries that are missing because their disk is
   * missing become unknown.
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
   * Call it before missing entries are treated as deleted. An entry that was renamed to a name that cannot be
   * stored becomes unknown at its former path, so that its copy in the drive stays.
   */
  protectCopiesOfUnstorable(): void {
    for (const former of this.#unstorable.findFormer(this.#known.base, this.entries)) {
      const { path: entryPath, place } = former;
      if (this.isUnknown(entryPath)) continue;
      this.#unstorable.keep(former);
      this.#leaveOut(
        entryPath,
        `On this computer it is ${quoteInAscii(place.localPath)} now, which cannot be stored in the drive. ` +
          'Its copy in the drive stays until that can be stored.',
      );
    }
  }

  /**
   * Call it before an entry is changed. It prevents writes through a symbolic link that has replaced a
   * directory, and writes to another disk than the known one.
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
   * @param acceptsMounts whether directories are read even if another disk is mounted there than at the last
   * sync
   * @throws ReplacedRoot; Error of the file system if the root cannot be read
   */
  async scan(rules: IgnoreRules, signal: AbortSignal, acceptsMounts = false): Promise<void> {
    this.#identity.check();
    this.#rules = rules;
    this.entries.clear();
    this.unknown.clear();
    this.mountPoints.clear();
    this.#unstorable.clear();
    readdirSync(this.root);
    await this.#readBelow([['', '']], signal);
    if (!acceptsMounts) this.#leaveOutChangedMounts();
  }

  /**
   * Reads paths again, with everything below them, after something has happened there.
   * @returns the paths that the tree had or has there
   */
  async rescan(entryPaths: Iterable<string>, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const touched = new Set<string>();
    const listings = new Listings();
    for (const entryPath of entryPaths) {
      for (const each of await this.#rescanOne(entryPath, listings, signal)) touched.add(each);
    }
    this.#leaveOutChangedMounts();
    return touched;
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

  /**
   * Opens a file for reading.
   * @throws ReplacedRoot; ConflictError if it is another one; Error of the file system
   */
  async open(entryPath: string, size: number): Promise<LocalContent> {
    const localPath = this.localPathOf(entryPath);
    const checkAbove = () => this.checkAbove(entryPath);
    return await openLocalContent({ root: this.root, localPath, size, checkAbove });
  }

  /** The SHA-256 of a file, in hex. @throws as {@link open} */
  async hash(entryPath: string, signal: AbortSignal): Promise<string> {
    const content = await this.open(entryPath, this.entries.get(entryPath)?.size ?? 0);
    try {
      return await content.computeSha256(signal);
    } finally {
      await content.close();
    }
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
    this.#unstorable.noteMove(from, to);
    // Otherwise unknown entries would count as missing at their new path.
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

  /** Like {@link locate}, but relative to the root. A new entry is in its directory as the disk spells it. */
  localPathOf(entryPath: string): string {
    const known = this.entries.get(entryPath)?.localPath;
    const parent = parentOf(entryPath);
    if (known !== undefined || parent === '') return known ?? entryPath;
    return joinPath(this.localPathOf(parent), nameOf(entryPath));
  }

  async #rescanOne(entryPath: string, listings: Listings, signal: AbortSignal): Promise<readonly string[]> {
    const changed = this.#findChangedAbove(entryPath);
    if (changed !== undefined) return await this.#rescanOne(changed, listings, signal);
    const parent = parentOf(entryPath);
    const localParent = parent === '' ? '' : this.entries.get(parent)?.localPath;
    const before = [...this.#deleteTree(entryPath), ...this.#unstorable.deleteWithin(entryPath)];
    for (const path of before) this.unknown.delete(path);
    for (const unknown of this.unknown) if (isWithin(unknown, entryPath)) this.unknown.delete(unknown);
    // Its directory is new, too.
    if (localParent === undefined) return [...before, ...(await this.#rescanOne(parent, listings, signal))];
    const directories: (readonly [string, string])[] = [];
    this.#readNames(parent, localParent, this.#findForms(entryPath, localParent, listings), directories);
    await this.#readBelow(directories, signal);
    const found = this.entries.get(entryPath);
    if (found === undefined) return before;
    return [...before, entryPath, ...(found.isDirectory ? this.entries.listBelow(entryPath) : [])];
  }

  /** The names on disk that are the name of an entry in the drive. */
  #findForms(entryPath: string, localParent: string, listings: Listings): readonly string[] {
    const name = nameOf(entryPath);
    try {
      const isThere = findDiskFacts(this.toAbsolute(joinPath(localParent, name))) !== undefined;
      if (isThere && !mayHaveOtherForm(name)) return [name];
      return listings.find(this.toAbsolute(localParent), name);
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

  /** @param waiting paths of directories, each in the drive and on disk */
  async #readBelow(waiting: (readonly [string, string])[], signal: AbortSignal): Promise<void> {
    await drainInTurns(waiting, (next) => this.#readDirectory(...next, waiting), signal);
    await this.#unstorable.readBelow(signal, this.#reports.onFailed);
  }

  #readDirectory(directory: string, localPath: string, waiting: (readonly [string, string])[]): void {
    try {
      this.beforeReading?.(directory);
      const names = readdirSync(this.toAbsolute(localPath));
      // A disk that is mounted when it is needed is there from now on.
      if (this.mountPoints.has(directory)) this.refresh(directory, localPath);
      this.#readNames(directory, localPath, names, waiting);
    } catch (error) {
      // The directory was removed after its parent was read.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && directory !== '') {
        this.entries.delete(directory);
        return;
      }
      this.unknown.add(directory);
      this.#reports.onFailed(localPath, error);
    }
  }

  #readNames(
    directory: string,
    localDirectory: string,
    names: readonly string[],
    waiting: (readonly [string, string])[],
  ): void {
    const equal = findEqualNames(names);
    for (const name of names) {
      const nfcName = name.normalize('NFC');
      if (equal.size > 0 && equal.has(nfcName)) continue;
      const localPath = joinPath(localDirectory, name);
      // Equal strings share memory only if they are the same object.
      const isSpelledAlike = directory === localDirectory && name === nfcName;
      this.#readEntry(isSpelledAlike ? localPath : joinPath(directory, nfcName), localPath, waiting);
    }
    for (const [name, forms] of equal) {
      const entryPath = joinPath(directory, name);
      // Names that are not valid Unicode are read as the same name.
      const localPaths = [...new Set(forms)].map((form) => joinPath(localDirectory, form));
      const synced = localPaths.filter((localPath) => !this.#isIgnored(entryPath, localPath));
      const [localPath] = synced;
      if (synced.length === 1 && localPath !== undefined) this.#readEntry(entryPath, localPath, waiting);
      else if (synced.length > 1) this.#leaveOutEqual(entryPath, synced);
    }
  }

  #isIgnored(entryPath: string, localPath: string): boolean {
    try {
      const found = findDiskFacts(this.toAbsolute(localPath));
      return found !== undefined && this.#rules.ignores(entryPath, nameOf(localPath), found.isDirectory);
    } catch {
      return false;
    }
  }

  /** None of them is synced, because it is unclear which of them corresponds to the entry of the drive. */
  #leaveOutEqual(entryPath: string, localPaths: readonly string[]): void {
    const names = localPaths.map((localPath) => quoteInAscii(nameOf(localPath))).join(' and ');
    const reason = `The drive cannot tell ${names} apart, so none of them is synced. Rename all but one.`;
    this.#leaveOutUnstorable(entryPath, localPaths, new Error(reason));
  }

  #leaveOutUnstorable(entryPath: string, localPaths: readonly string[], reason: unknown): void {
    this.unknown.add(entryPath);
    for (const localPath of localPaths) {
      try {
        for (const file of findRawPaths(this.toAbsolute(localPath)))
          this.#unstorable.add(file, entryPath, localPath);
      } catch (error) {
        this.#reports.onFailed(localPath, error);
      }
    }
    this.#reports.onFailed(entryPath, reason);
  }

  #readEntry(entryPath: string, localPath: string, waiting: (readonly [string, string])[]): void {
    try {
      const name = nameOf(localPath);
      const found = findDiskFacts(this.toAbsolute(localPath));
      const fault = found === undefined ? findEncodingFault(name) : findNameFault(name);
      if (found !== undefined) {
        if (this.#rules.ignores(entryPath, name, found.isDirectory)) return;
        if (!found.isDirectory && !found.isFile) {
          this.unknown.add(entryPath);
          this.#reports.onSkipped(localPath);
          return;
        }
      }
      if (fault !== undefined) this.#leaveOutUnstorable(entryPath, [localPath], fault);
      if (fault !== undefined || found === undefined) return;
      this.#setEntry(entryPath, localPath, found);
      if (found.isDirectory) waiting.push([entryPath, localPath]);
    } catch (error) {
      this.unknown.add(entryPath);
      this.#reports.onFailed(localPath, error);
    }
  }
}
