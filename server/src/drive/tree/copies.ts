import type { Accounts, Usage } from '../../accounts/accounts.ts';
import type { Clock, Instant } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { MAX_LEVELS } from '../../base/text/logical-path.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Tx } from '../../database/database.ts';
import { nameTaken } from '../entries/directories.ts';
import type { Entry } from '../entries/entry.ts';
import { adjustChildCount, findLiveEntry } from '../entries/entry-queries.ts';
import { countSubtreeUses, sumSubtree } from '../entries/subtree-queries.ts';
import { copyMetadata, copyMetadataBelow } from '../metadata/queries.ts';
import { clearCopyMarks, copyNextLevel, copyRoot, findHighestMarked, recountCopied } from './copy-queries.ts';

/** Copies trees, within a drive or from one to another. The copies use the same stored objects: no byte is copied. */
export class Copies {
  readonly #accounts: Accounts;
  readonly #blobs: Blobs;
  readonly #clock: Clock;

  constructor(parts: { accounts: Accounts; blobs: Blobs; clock: Clock }) {
    this.#accounts = parts.accounts;
    this.#blobs = parts.blobs;
    this.#clock = parts.clock;
  }

  /**
   * The copy of an entry with everything below it, charged to its new owner. The transaction holds the drive that it
   * comes into. Whoever calls has seen to it that the tree is not copied into itself and does not become too deep.
   *
   * The other drive, where the source is in another, is not held: nobody can keep its owner waiting by copying from it.
   * What is taken from it level by level may change between two levels, so what the copy has become is counted anew, and
   * only what is still referred to by somebody is taken.
   *
   * @throws Failure `conflict` when the name is taken; `over-limit`; `not-found` or `unavailable` when the source, or
   *   something in it, was removed meanwhile
   */
  async copy(tx: Tx, source: Entry, target: { ownerId: number; parentId: number }): Promise<Entry> {
    const now = this.#clock.now();
    const usage = await sumSubtree(tx, source.id);
    await this.#accounts.chargeUsage(tx, target.ownerId, usage);
    const root = await copyRoot(tx, source, target, now);
    if (root === undefined) throw nameTaken(source.name);
    await adjustChildCount(tx, target.parentId, 1);
    if (source.isDirectory) await this.#copyBelow(tx, source, target.ownerId, now);
    else await copyMetadata(tx, source.id, root.id);
    if (source.ownerId !== target.ownerId) await this.#settle(tx, source, root, usage);
    await this.#blobs.addReferences(tx, countSubtreeUses(tx, root.id));
    return root;
  }

  async #copyBelow(tx: Tx, source: Entry, ownerId: number, now: Instant): Promise<void> {
    for (let above = 0, copied = 1, level = 0; copied > 0; level += 1) {
      // A directory that is moved down again and again while it is copied would have no end.
      if (level > MAX_LEVELS) throw changing();
      const highest = await findHighestMarked(tx);
      copied = await copyNextLevel(tx, ownerId, above, now);
      above = highest;
    }
    if (source.ownerId !== ownerId) await recountCopied(tx);
    await copyMetadataBelow(tx);
    await clearCopyMarks(tx);
  }

  /** Charges what the copy has become, and gives it up when its source is no longer there to be copied. */
  async #settle(tx: Tx, source: Entry, root: Entry, charged: Usage): Promise<void> {
    const become = await sumSubtree(tx, root.id);
    const difference = { bytes: become.bytes - charged.bytes, files: become.files - charged.files };
    if (difference.bytes !== 0 || difference.files !== 0) {
      await this.#accounts.chargeUsage(tx, root.ownerId, difference);
    }
    if ((await findLiveEntry(tx, source.ownerId, source.id)) === undefined) {
      throw new Failure('not-found', 'There is no such file or directory.');
    }
  }
}

function changing(): Failure {
  return new Failure('unavailable', 'This directory is changing too fast to be copied. Please try again.', {
    retryAfterSeconds: 1,
  });
}
