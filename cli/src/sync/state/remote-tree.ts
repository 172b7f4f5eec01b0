import type { EntryRecord } from '../../../../client/src/client.ts';
import type { RemoteEntry } from '../rules/entries.ts';
import { PathMap } from '../rules/path-map.ts';

/** Stores the changes of the remote tree for the next run. */
interface RemoteLog {
  setRemote(path: string, entry: RemoteEntry): void;
  deleteRemote(path: string): void;
}

/** The tree in the drive, as of the last event read. */
export class RemoteTree {
  readonly entries = new PathMap<RemoteEntry>();
  readonly #paths = new Map<number, string>();
  readonly #log: RemoteLog;

  /** @param known the entries stored by the previous run */
  constructor(known: Iterable<readonly [string, RemoteEntry]>, log: RemoteLog) {
    this.#log = log;
    for (const [path, entry] of known) {
      this.entries.set(path, entry);
      this.#paths.set(entry.id, path);
    }
  }

  pathOf(id: number): string | undefined {
    return this.#paths.get(id);
  }

  set(path: string, entry: RemoteEntry): void {
    const before = this.entries.get(path);
    // The previous entry at this path must have moved. The event of that move follows.
    if (before !== undefined && before.id !== entry.id) this.deleteTree(path);
    const oldPath = this.#paths.get(entry.id);
    if (oldPath !== undefined && oldPath !== path) this.deleteOne(oldPath);
    this.entries.set(path, entry);
    this.#paths.set(entry.id, path);
    this.#log.setRemote(path, entry);
  }

  deleteOne(path: string): void {
    const entry = this.entries.get(path);
    if (entry === undefined) return;
    this.entries.delete(path);
    if (this.#paths.get(entry.id) === path) this.#paths.delete(entry.id);
    this.#log.deleteRemote(path);
  }

  deleteTree(path: string): void {
    const isFile = this.entries.get(path)?.isDirectory === false;
    if (!isFile) for (const below of this.entries.listBelow(path)) this.deleteOne(below);
    this.deleteOne(path);
  }

  /** Removes and returns an entry and everything below it, with paths relative to it; its own is empty. */
  takeTree(path: string): readonly (readonly [string, RemoteEntry])[] {
    const top = this.entries.get(path);
    if (top === undefined) return [];
    const below = top.isDirectory ? this.entries.listBelow(path) : [];
    const taken = [path, ...below].flatMap((each) => {
      const entry = this.entries.get(each);
      return entry === undefined ? [] : [[each.slice(path.length), entry] as const];
    });
    for (const [relative] of taken) this.deleteOne(path + relative);
    return taken;
  }

  moveTree(from: string, to: string): void {
    for (const [relative, entry] of this.takeTree(from)) this.set(to + relative, entry);
  }
}

export function toRemoteEntry(record: EntryRecord & { readonly sha256?: string | null }): RemoteEntry {
  const { id, directory, size, modifiedAt, updatedAt, sha256 = null } = record;
  return { id, isDirectory: directory, size, modifiedAt, updatedAt, sha256 };
}
