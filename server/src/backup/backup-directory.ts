import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { flushDirectory } from '../base/bytes/flush-directory.ts';
import type { Ids } from '../base/ids.ts';
import { LocalDiskStore } from '../storage/disk/local-disk.ts';

/** The file with the id of the drive, so that backups of another drive never replace its backups. */
const DRIVE_ID = 'drive-id';
const OBJECTS = 'objects';
const ROWS = /^rows-[\w-]+$/;

/**
 * A directory with the backup of one drive: `manifest.json`, a directory of row files (`rows-…`) that it
 * names, and the objects (`objects/…`), which a file among the row files lists. The next backup writes new
 * row files, adds missing objects, replaces the manifest atomically, and only then removes the files that the
 * new manifest does not name.
 */
export class BackupDirectory {
  readonly path: string;
  readonly objects: LocalDiskStore;

  constructor(directory: string, ids: Ids) {
    this.path = path.resolve(directory);
    this.objects = new LocalDiskStore(path.join(this.path, OBJECTS), ids);
  }

  /**
   * Creates the directory if needed, and marks it as the drive's.
   * @throws Error with a sentence when it has other files, or backups of another drive
   */
  async claim(driveId: string): Promise<void> {
    await this.#writeDriveId(driveId);
    // Only the owner may read the objects, even if the directory itself is readable by others.
    await mkdir(path.join(this.path, OBJECTS), { recursive: true, mode: 0o700 });
  }

  /** The path of the directory of row files with this name. */
  rowsOf(name: string): string {
    return path.join(this.path, name);
  }

  /** Removes the row files of all other backups: of the previous one, and of interrupted ones. */
  async removeOtherRows(kept: string): Promise<void> {
    for (const name of await readdir(this.path)) {
      if (ROWS.test(name) && name !== kept) await rm(this.rowsOf(name), { recursive: true, force: true });
    }
  }

  async #writeDriveId(driveId: string): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    const names = await readdir(this.path);
    if (names.length === 0) {
      await writeFile(path.join(this.path, DRIVE_ID), driveId, { mode: 0o600, flush: true });
      await flushDirectory(this.path);
      return;
    }
    if (!names.includes(DRIVE_ID)) {
      throw new Error(`${this.path} has other files than backups. Use an empty or a new directory.`);
    }
    // An empty id is left by a backup that crashed while it wrote the id, before it wrote anything else.
    const found = await readFile(path.join(this.path, DRIVE_ID), 'utf8');
    if (found !== driveId && !(found === '' && names.length === 1)) {
      throw new Error(`${this.path} has the backups of another drive. Use an empty or a new directory.`);
    }
    if (found === '') await writeFile(path.join(this.path, DRIVE_ID), driveId, { flush: true });
  }
}
