import path from 'node:path';
import { type DiskIdentity, isSameIdentity } from '../rules/disk-identity.ts';
import type { LocalEntry } from '../rules/entries.ts';
import { isWithin, joinPath, nameOf, PathMap, parentOf } from '../rules/path-map.ts';
import { type DiskFacts, findDiskFacts, isDirectoryOn } from './disk-facts.ts';
import { UnstorableEntries } from './unstorable-entries.ts';

/**
 * The state of the disk when it was last read. A path that cannot be read or synced counts as unknown, never
 * as deleted.
 */
export class KnownTree {
  readonly root: string;
  readonly identity: RootIdentity;
  readonly entries = new PathMap<LocalEntry>();
  /** At and below these paths, it is unknown what the disk contains. */
  readonly unknown = new Set<string>();
  /** The directories that are on another disk than their parent. */
  readonly mountPoints = new Set<string>();
  readonly unstorable = new UnstorableEntries();

  /** @throws Error of the file system if the root cannot be read */
  constructor(root: string) {
    this.root = root;
    this.identity = new RootIdentity(root);
  }

  clear(): void {
    this.entries.clear();
    this.unknown.clear();
    this.mountPoints.clear();
    this.unstorable.clear();
  }

  /** Reads one entry again, without what is below it. */
  refresh(entryPath: string, localPath: string): LocalEntry | undefined {
    const found = findDiskFacts(this.toAbsolute(localPath));
    if (found === undefined || !(found.isFile || found.isDirectory)) {
      this.entries.delete(entryPath);
      return undefined;
    }
    return this.setEntry(entryPath, localPath, found);
  }

  /** The device of the entry's directory, or of its closest existing ancestor. */
  deviceAbove(entryPath: string): string | undefined {
    const parent = parentOf(entryPath);
    if (parent === '') return this.identity.device;
    return this.entries.get(parent)?.device ?? this.deviceAbove(parent);
  }

  /** Records that an entry was moved with everything below it. */
  noteMove(from: string, to: string): void {
    const localTo = this.localPathOf(to);
    const localFrom = this.entries.get(from)?.localPath ?? from;
    for (const [before, after] of this.entries.moveTree(from, to)) {
      const entry = this.entries.get(after);
      if (entry === undefined) continue;
      this.entries.set(after, { ...entry, localPath: localTo + entry.localPath.slice(localFrom.length) });
      if (this.mountPoints.delete(before)) this.mountPoints.add(after);
    }
    this.unstorable.noteMove(from, to);
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

  /** Like {@link locate}, but relative to the root. For a new entry, the directory is spelled as on disk. */
  localPathOf(entryPath: string): string {
    const known = this.entries.get(entryPath)?.localPath;
    const parent = parentOf(entryPath);
    if (known !== undefined || parent === '') return known ?? entryPath;
    return joinPath(this.localPathOf(parent), nameOf(entryPath));
  }

  /** The outermost parent directory that is gone, or is on another disk than before. */
  findChangedAbove(entryPath: string): string | undefined {
    const above: string[] = [];
    for (let at = parentOf(entryPath); at !== ''; at = parentOf(at)) above.unshift(at);
    return above.find((at) => {
      const entry = this.entries.get(at);
      return entry !== undefined && !isDirectoryOn(this.toAbsolute(entry.localPath), entry.device);
    });
  }

  /** Records what is on disk at a path. */
  setEntry(entryPath: string, localPath: string, found: DiskFacts): LocalEntry {
    const { isDirectory, mtimeMs, ctimeMs, device, inode } = found;
    const isMountPoint = isDirectory && device !== this.deviceAbove(entryPath);
    if (isMountPoint) this.mountPoints.add(entryPath);
    else this.mountPoints.delete(entryPath);
    const size = isDirectory ? 0 : found.size;
    const entry = { localPath, isDirectory, size, mtimeMs, ctimeMs, device, inode, isMountPoint };
    this.entries.set(entryPath, entry);
    return entry;
  }

  /** Deletes an entry and everything below it. Returns the deleted paths. */
  deleteTree(entryPath: string): readonly string[] {
    const found = this.entries.get(entryPath);
    if (found?.isDirectory === true) return this.entries.deleteTree(entryPath);
    return this.entries.delete(entryPath) ? [entryPath] : [];
  }
}

/**
 * Another directory has replaced the synced one. The user did not delete the files that are missing in it.
 */
class ReplacedRoot extends Error {
  override readonly name = 'ReplacedRoot';
}

/**
 * Distinguishes the synced directory from another one that appears at its path later, such as an empty mount
 * point.
 */
class RootIdentity {
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
