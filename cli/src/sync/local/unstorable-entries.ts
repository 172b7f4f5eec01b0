// Files and directories on disk whose names the drive cannot store. If one was stored under another name
// before, its copy in the drive must stay, because it cannot be uploaded under the new name.
import { readdirSync } from 'node:fs';
import { toIdentityKey } from '../rules/disk-identity.ts';
import type { BaseEntry, LocalEntry } from '../rules/entries.ts';
import { depthOf, isWithin, type PathMap } from '../rules/path-map.ts';
import { findDiskFacts } from './disk-facts.ts';
import { drainInTurns } from './drain-in-turns.ts';

/** The place on disk of an entry that cannot be stored. */
interface Place {
  /** The path that was left out: its own, or that of a parent directory. */
  readonly at: string;
  /** Relative to the root, shown to the user. */
  readonly localPath: string;
  readonly isDirectory: boolean;
}

/** An entry that was stored under another path. */
interface FormerEntry {
  readonly path: string;
  readonly place: Place;
}

export class UnstorableEntries {
  /** By disk identity, which is unique on this computer. */
  readonly #places = new Map<string, Place>();
  /** The paths whose copies in the drive stay, each with the current path of its entry. */
  readonly #kept = new Map<string, string>();
  readonly #unread: (readonly [Buffer, Place])[] = [];

  clear(): void {
    this.#places.clear();
    this.#kept.clear();
    this.#unread.length = 0;
  }

  /**
   * Records an entry. {@link readBelow} reads the content of directories later.
   * @param file as bytes, because the name may not be valid Unicode
   * @throws Error of the file system
   */
  add(file: Buffer, at: string, localPath: string): void {
    const found = findDiskFacts(file);
    if (found === undefined || !(found.isFile || found.isDirectory)) return;
    const place = { at, localPath, isDirectory: found.isDirectory };
    this.#places.set(toIdentityKey(found), place);
    if (found.isDirectory) this.#unread.push([file, place]);
  }

  /** @param onFailed called for what cannot be read */
  async readBelow(signal: AbortSignal, onFailed: (localPath: string, error: unknown) => void): Promise<void> {
    const read = ([directory, { at, localPath }]: readonly [Buffer, Place]) => {
      try {
        for (const name of readdirSync(directory, { encoding: 'buffer' })) {
          this.add(Buffer.concat([directory, SEPARATOR, name]), at, `${localPath}/${name}`);
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onFailed(localPath, error);
      }
    };
    await drainInTurns(this.#unread, read, signal);
  }

  /** Returns the entries that had other paths on disk at the last sync, the outermost first. */
  findFormer(base: PathMap<BaseEntry>, local: PathMap<LocalEntry>): readonly FormerEntry[] {
    if (this.#places.size === 0) return [];
    const former: FormerEntry[] = [];
    for (const [path, before] of base) {
      const place = local.has(path) ? undefined : this.#places.get(toIdentityKey(before));
      if (place?.isDirectory === before.isDirectory) former.push({ path, place });
    }
    return former.toSorted((a, b) => depthOf(a.path) - depthOf(b.path));
  }

  /** Records that the copy in the drive stays. */
  keep({ path, place }: FormerEntry): void {
    this.#kept.set(path, place.at);
  }

  /**
   * Call it before a path is read again. Returns the paths whose copies in the drive stay because of the
   * deleted entries.
   */
  deleteWithin(entryPath: string): readonly string[] {
    for (const [key, { at }] of this.#places) if (isWithin(at, entryPath)) this.#places.delete(key);
    const kept = [...this.#kept].filter(([, at]) => isWithin(at, entryPath)).map(([path]) => path);
    for (const path of kept) this.#kept.delete(path);
    return kept;
  }

  /** Call it when a directory was moved. */
  noteMove(from: string, to: string): void {
    const moved = (at: string) => (isWithin(at, from) ? to + at.slice(from.length) : at);
    for (const [key, place] of this.#places) this.#places.set(key, { ...place, at: moved(place.at) });
    for (const [path, at] of [...this.#kept]) {
      this.#kept.delete(path);
      this.#kept.set(moved(path), moved(at));
    }
  }
}

const SEPARATOR = Buffer.from('/');
