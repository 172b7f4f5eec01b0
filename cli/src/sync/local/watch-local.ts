import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import { toIdentityKey } from '../rules/disk-identity.ts';
import { joinPath, parentOf } from '../rules/path-map.ts';
import type { LocalTree } from './local-tree.ts';

interface LocalWatchParts {
  readonly local: LocalTree;
  /** Called with the path of an entry that may have changed. */
  readonly onChange: (path: string) => void;
  /** Called if not everything can be watched, for example because the system allows no more watches. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Watches the tree on disk. Linux has no recursive watch, and Node.js emulates it with one watch per file.
 * One per directory is enough, so this class adds those. Other systems watch the whole tree with one watch.
 */
export class LocalWatch {
  readonly #parts: LocalWatchParts;
  readonly #watchers = new Map<string, FSWatcher>();
  /** The identity of each watched directory, because its path may belong to another directory by now. */
  readonly #watched = new Map<string, string>();
  readonly #isRecursive = process.platform === 'darwin' || process.platform === 'win32';
  #hasFault = false;

  constructor(parts: LocalWatchParts) {
    this.#parts = parts;
    // The watch begins before the directory is read, so that no change in between is missed.
    parts.local.beforeReading = (directory) => {
      if (directory === '' || !this.#isRecursive) this.#add(directory);
    };
  }

  /**
   * Watches the directories that the tree contains now. Call it again when directories may have been added or
   * removed.
   */
  update(): void {
    this.#add('');
    if (this.#isRecursive) return;
    const { entries } = this.#parts.local;
    for (const [entryPath, { isDirectory }] of entries) {
      // The sync creates directories without reading them, so changes before the watch would be missed.
      if (isDirectory && this.#add(entryPath)) this.#parts.onChange(entryPath);
    }
    for (const [entryPath, watcher] of this.#watchers) {
      if (entryPath === '' || entries.get(entryPath)?.isDirectory === true) continue;
      watcher.close();
      this.#watchers.delete(entryPath);
      this.#watched.delete(entryPath);
    }
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#watched.clear();
    this.#parts.local.beforeReading = undefined;
  }

  /** Whether a watch was added. */
  #add(directory: string): boolean {
    const { local, onChange } = this.#parts;
    const entry = local.entries.get(directory);
    const identity = entry === undefined ? '' : toIdentityKey(entry);
    if (this.#watched.get(directory) === identity || this.#hasFault) return false;
    this.#watchers.get(directory)?.close();
    try {
      const target = directory === '' ? local.root : local.locate(directory);
      const watcher = watch(target, { recursive: this.#isRecursive }, (_event, name) => {
        // Without a name, anything in the directory may have changed.
        if (name === null) return onChange(directory);
        onChange(joinPath(directory, name.split(path.sep).join('/').normalize('NFC')));
      });
      watcher.on('error', (error) => this.#drop(directory, watcher, error));
      this.#watchers.set(directory, watcher);
      this.#watched.set(directory, identity);
      return true;
    } catch (error) {
      // A missing directory is not an error: the watch of its parent reports it.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') onChange(directory);
      else this.#fail(error);
      return false;
    }
  }

  #drop(directory: string, watcher: FSWatcher, error: Error): void {
    watcher.close();
    this.#watchers.delete(directory);
    this.#watched.delete(directory);
    this.#parts.onChange(directory === '' ? '' : parentOf(directory));
    if (directory === '') this.#fail(error);
  }

  #fail(error: unknown): void {
    this.#hasFault = true;
    this.#parts.onFault(error);
  }
}
