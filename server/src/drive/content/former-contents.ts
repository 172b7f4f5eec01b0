import { Failure } from '../../base/failure.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Tx } from '../../database/database.ts';
import { findKeptExcess, releaseUsage } from '../../drives/drives.ts';
import type { Entry } from '../entries/entry.ts';
import { countVersionUses, deleteVersions, findOldestVersions, findVersionsBeyond } from './queries.ts';

/** The maximum number of versions of one file. The oldest is removed first. */
export const MAX_VERSIONS = 20;

/** The maximum number of versions that one statement deletes. */
const DELETE_BATCH = 500;

/** Deletes versions (former contents of files), in transactions that have locked their drive. */
export class FormerContents {
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async delete(tx: Tx, driveId: number, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#blobs.dropReferences(tx, countVersionUses(tx, ids));
    const keptBytes = await deleteVersions(tx, ids);
    await releaseUsage(tx, driveId, { bytes: 0, files: 0, entries: 0, keptBytes });
  }

  /**
   * Deletes the oldest versions in a drive until at least `bytes` are freed. Returns the number of freed
   * bytes, which is lower if there are no more versions.
   * @param except the id of a version that stays
   */
  async deleteOldest(tx: Tx, driveId: number, bytes: number, except = 0): Promise<number> {
    let deleted = 0;
    while (deleted < bytes) {
      const ids: number[] = [];
      for (const { id, size } of await findOldestVersions(tx, driveId, { except, limit: DELETE_BATCH })) {
        if (deleted >= bytes) break;
        ids.push(id);
        deleted += size;
      }
      if (ids.length === 0) break;
      await this.delete(tx, driveId, ids);
    }
    return deleted;
  }

  /**
   * Makes room for a file's former content, which has just become a version.
   * @throws Failure `over-limit` if the version does not fit alongside the recycle bin
   */
  async makeRoomFor(tx: Tx, { id, driveId, size }: Entry, versionId: number): Promise<void> {
    await this.delete(tx, driveId, await findVersionsBeyond(tx, id, MAX_VERSIONS));
    if (size === 0) return;
    const excess = await findKeptExcess(tx, driveId);
    if (excess <= 0 || (await this.deleteOldest(tx, driveId, excess, versionId)) >= excess) return;
    throw new Failure(
      'over-limit',
      'There is no room to keep the former content of the file. Empty the recycle bin, then try again.',
    );
  }
}
