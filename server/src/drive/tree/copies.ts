import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { FileName } from '../../base/text/names/file-name.ts';
import { MAX_LEVELS } from '../../base/text/names/logical-path.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Tx } from '../../database/database.ts';
import type { Drives, DriveUser, Usage } from '../../drives/drives.ts';
import { nameTaken } from '../entries/directories.ts';
import type { Entry } from '../entries/entry.ts';
import { adjustChildCount, type Change, findLiveEntries } from '../entries/entry-queries.ts';
import { countSubtreeUses, sumSubtree } from '../entries/subtree-queries.ts';
import { checkTreeSize } from '../entries/tree-size.ts';
import { copyMetadata, copyMetadataBelow } from '../metadata/queries.ts';
import {
  clearCopyMarks,
  copyNextLevel,
  copyRoot,
  findHighestMarked,
  markAsCopy,
  recountCopied,
} from './copy-queries.ts';

interface CopiesParts {
  readonly drives: Drives;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly maxTreeEntries: number;
}

/**
 * Copies trees within a drive or between drives. The copies refer to the same stored objects: no bytes are
 * copied.
 */
export class Copies {
  readonly #parts: CopiesParts;

  constructor(parts: CopiesParts) {
    this.#parts = parts;
  }

  /**
   * Copies an entry and everything below it, and charges the drive of the target. The caller has locked the
   * target drive, and has checked that the tree is not copied into itself and does not become too deep.
   *
   * If the source is in another drive, that drive may be unlocked: otherwise anyone who copies from it could
   * make others there wait. So the source may change while its levels are copied. Therefore the finished copy
   * is counted again, and the copy fails if a blob's last reference is gone.
   *
   * @throws Failure `conflict` if the name is taken; `over-limit`, also if there are too many entries for one
   *   copy; `not-found` or `unavailable` if the source or something in it was removed during the copy
   */
  async copy(
    tx: Tx,
    { driveId, accountId }: DriveUser,
    source: Entry,
    place: { parentId: number; name?: FileName },
  ): Promise<Entry> {
    const change = { accountId, now: this.#parts.clock.now() };
    const target = { driveId, ...place };
    const usage = await this.#sumTree(tx, source.id);
    await this.#parts.drives.usage.charge(tx, driveId, usage);
    const root = await copyRoot(tx, source, target, change);
    if (root === undefined) throw nameTaken(target.name ?? source.name);
    await adjustChildCount(tx, target.parentId, 1);
    if (source.isDirectory) await this.#copyBelow(tx, source, driveId, change);
    else await copyMetadata(tx, source.id, root.id);
    const settled = source.driveId === driveId ? root : await this.#settle(tx, source, root, usage);
    await this.#parts.blobs.addReferences(tx, countSubtreeUses(tx, root.id));
    return settled;
  }

  /**
   * Copies everything below a directory into the root of an empty drive, and charges that drive. The caller
   * has locked both drives.
   * @throws Failure `over-limit`, also if there are too many entries for one copy
   */
  async copyBelow(tx: Tx, directory: Entry, root: Entry, accountId: number | null): Promise<void> {
    const { entries, ...usage } = await this.#sumTree(tx, directory.id);
    // The root of a drive does not count.
    await this.#parts.drives.usage.charge(tx, root.driveId, { ...usage, entries: entries - 1 });
    await markAsCopy(tx, { id: root.id, sourceId: directory.id });
    await this.#copyBelow(tx, directory, root.driveId, { accountId, now: this.#parts.clock.now() });
    await this.#parts.blobs.addReferences(tx, countSubtreeUses(tx, root.id));
  }

  /** @throws Failure `over-limit` if there are too many entries for one copy */
  async #sumTree(tx: Tx, rootId: number): Promise<Usage> {
    const usage = await sumSubtree(tx, rootId, this.#parts.maxTreeEntries);
    checkTreeSize(usage.entries, this.#parts.maxTreeEntries, 'copied');
    return usage;
  }

  async #copyBelow(tx: Tx, source: Entry, driveId: number, change: Change): Promise<void> {
    for (let above = 0, copied = 1, level = 0; copied > 0; level += 1) {
      // Without this limit, copying a directory that is repeatedly moved further down would never end.
      if (level > MAX_LEVELS) throw changing();
      const highest = await findHighestMarked(tx);
      copied = await copyNextLevel(tx, driveId, above, change);
      above = highest;
    }
    if (source.driveId !== driveId) await recountCopied(tx);
    await copyMetadataBelow(tx);
    await clearCopyMarks(tx);
  }

  /**
   * Charges the difference between the planned and the finished copy. Fails if the source no longer exists.
   * @returns the root as it is now
   */
  async #settle(tx: Tx, source: Entry, root: Entry, charged: Usage): Promise<Entry> {
    const become = await this.#sumTree(tx, root.id);
    const difference = {
      bytes: become.bytes - charged.bytes,
      files: become.files - charged.files,
      entries: become.entries - charged.entries,
    };
    if (Object.values(difference).some((change) => change !== 0)) {
      await this.#parts.drives.usage.charge(tx, root.driveId, difference);
    }
    // `getLiveEntry` would not find the root of a drive, which can also be a source.
    const found = await findLiveEntries(tx, [source.id, root.id]);
    const copy = found.find(({ id }) => id === root.id);
    if (found.length < 2 || copy === undefined) {
      throw new Failure('not-found', 'There is no such file or directory.');
    }
    return copy;
  }
}

function changing(): Failure {
  return new Failure('unavailable', 'This directory is changing too fast to be copied. Please try again.', {
    retryAfterSeconds: 1,
  });
}
