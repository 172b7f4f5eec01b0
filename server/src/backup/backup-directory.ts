import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { flushDirectory } from '../base/bytes/flush-directory.ts';
import type { Ids } from '../base/ids.ts';
import { LocalDiskStore } from '../storage/disk/local-disk.ts';

/** Says whose backups lie here, so that those of another drive never take their place. */
const OWNER = 'drive-id';
const OBJECTS = 'objects';
const ROWS = /^rows-[\w-]+$/;

/**
 * Where backups of one drive lie: `manifest.json` names a directory of row files (`rows-…`) and, by a list among those, the
 * objects (`objects/…`). The next backup makes new row files, adds the objects that are missing, replaces the manifest in
 * one step, and only then removes what the new one does not name.
 */
export class BackupDirectory {
  readonly path: string;
  readonly objects: LocalDiskStore;

  constructor(directory: string, ids: Ids) {
    this.path = path.resolve(directory);
    this.objects = new LocalDiskStore(path.join(this.path, OBJECTS), ids);
  }

  /**
   * Takes the directory for the drive; makes it where there is none.
   * @throws Error with a sentence where it holds something else
   */
  async claim(driveId: string): Promise<void> {
    await this.#takeFor(driveId);
    // Whoever made the directory may have let others in.
    await mkdir(path.join(this.path, OBJECTS), { recursive: true, mode: 0o700 });
  }

  rowsOf(name: string): string {
    return path.join(this.path, name);
  }

  /** Removes the row files of other backups than that: of the one before, and of those that were cut off. */
  async removeOtherRows(kept: string): Promise<void> {
    for (const name of await readdir(this.path)) {
      if (ROWS.test(name) && name !== kept) await rm(this.rowsOf(name), { recursive: true, force: true });
    }
  }

  async #takeFor(driveId: string): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    const names = await readdir(this.path);
    if (names.length === 0) {
      await writeFile(path.join(this.path, OWNER), driveId, { mode: 0o600, flush: true });
      await flushDirectory(this.path);
      return;
    }
    if (!names.includes(OWNER)) {
      throw new Error(`${this.path} holds something else than backups. Name an empty or a new directory.`);
    }
    // What died while it wrote the id has written nothing else.
    const owner = await readFile(path.join(this.path, OWNER), 'utf8');
    if (owner !== driveId && !(owner === '' && names.length === 1)) {
      throw new Error(`${this.path} holds the backups of another drive. Name an empty or a new directory.`);
    }
    if (owner === '') await writeFile(path.join(this.path, OWNER), driveId, { flush: true });
  }
}
