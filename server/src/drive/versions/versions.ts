import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Database, Db } from '../../database/database.ts';
import { type Drives, releaseUsage } from '../../drives/drives.ts';
import type { ContentChanges } from '../content/content-changes.ts';
import type { FormerContents } from '../content/former-contents.ts';
import { deleteVersions } from '../content/queries.ts';
import type { Downloads, StoredFile } from '../download/downloads.ts';
import type { Actor, EntryWithPath } from '../entries/entry.ts';
import { getEntryWithPath, getLiveEntry } from '../entries/live-entries.ts';
import { findVersion, findVersionsUntil, listVersions, type Version } from './queries.ts';

const DELETE_BATCH = 200;

interface VersionsParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly clock: Clock;
  readonly contentChanges: ContentChanges;
  readonly formerContents: FormerContents;
  readonly downloads: Downloads;
  readonly retentionMs: number;
}

/**
 * The former contents of files. Like the recycle bin, they do not count against the quota, so restoring one
 * charges the difference in size. Files in the recycle bin keep their versions, which cannot be seen there.
 */
export class Versions {
  readonly #parts: VersionsParts;

  constructor(parts: VersionsParts) {
    this.#parts = parts;
  }

  /** Newest first; none for a directory. @throws Failure `not-found` */
  async list(driveId: number, fileId: number): Promise<readonly Version[]> {
    await getLiveEntry(this.#parts.database.db, driveId, fileId);
    return listVersions(this.#parts.database.db, fileId);
  }

  /** A version as a download, under the file's current name. @throws Failure `not-found` */
  async open(driveId: number, fileId: number, versionId: number): Promise<StoredFile> {
    const { name, contentType } = await getLiveEntry(this.#parts.database.db, driveId, fileId);
    const { location, ...version } = await getVersion(this.#parts.database.db, fileId, versionId);
    return this.#parts.downloads.toFile({ name, contentType, ...version }, location);
  }

  /**
   * Makes a version the content of its file. It leaves the list of versions, and the current content becomes
   * one.
   * @throws Failure `not-found`; `over-limit`
   */
  restore(actor: Actor, fileId: number, versionId: number): Promise<EntryWithPath> {
    return this.#parts.drives.withDriveLock(actor, 0, async (tx) => {
      const file = await getEntryWithPath(tx, actor.driveId, fileId);
      const version = await getVersion(tx, fileId, versionId);
      // Its reference to the blob passes to the entry.
      const keptBytes = await deleteVersions(tx, [versionId]);
      const released = { bytes: 0, files: 0, entries: 0, keptBytes };
      await releaseUsage(tx, actor.driveId, released);
      return this.#parts.contentChanges.replace(tx, actor, file, version);
    });
  }

  /** @throws Failure `not-found` */
  delete(actor: Actor, fileId: number, versionId: number): Promise<void> {
    const { driveId } = actor;
    return this.#parts.drives.withDriveLock(actor, 0, async (tx) => {
      await getLiveEntry(tx, driveId, fileId);
      await getVersion(tx, fileId, versionId);
      await this.#parts.formerContents.delete(tx, driveId, [versionId]);
    });
  }

  /** Deletes the versions of all drives whose retention time is over. Stops between two batches. */
  async deleteExpired(signal: AbortSignal): Promise<void> {
    const until = this.#parts.clock.now() - this.#parts.retentionMs;
    for (let count = DELETE_BATCH; count === DELETE_BATCH; ) {
      const found = await findVersionsUntil(this.#parts.database.db, until, DELETE_BATCH);
      count = found.length;
      for (const [driveId, versions] of Map.groupBy(found, (version) => version.driveId)) {
        signal.throwIfAborted();
        const ids = versions.map(({ id }) => id);
        // Under the lock of the drive, no other transaction purges the file or restores the version.
        await this.#parts.drives.withDriveLock({ driveId, accountId: null }, 0, (tx) =>
          this.#parts.formerContents.delete(tx, driveId, ids),
        );
      }
    }
  }
}

async function getVersion(db: Db, fileId: number, versionId: number): Promise<Version> {
  const version = await findVersion(db, fileId, versionId);
  if (version === undefined) throw new Failure('not-found', 'There is no such version of this file.');
  return version;
}
