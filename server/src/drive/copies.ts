import type { Accounts } from '../accounts/accounts.ts';
import type { Clock } from '../base/clock.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Tx } from '../database/database.ts';
import { copyNextLevel, copyRoot, findHighestMarked, forgetMarks } from './copy-queries.ts';
import { nameTaken } from './directories.ts';
import type { Entry } from './entry.ts';
import { countChildren } from './entry-queries.ts';
import { countSubtreeUses, sumSubtree } from './subtree-queries.ts';

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
   * The copy of an entry with everything below it, charged to its new owner. The transaction holds both drives; whoever
   * calls has seen to it that the tree is not copied into itself and does not become too deep.
   *
   * @throws Failure `conflict` when the name is taken; `over-limit`
   */
  async copy(tx: Tx, source: Entry, target: { ownerId: number; parentId: number }): Promise<Entry> {
    const now = this.#clock.now();
    await this.#accounts.chargeBytes(tx, target.ownerId, await sumSubtree(tx, source.id));
    await this.#blobs.addReferences(tx, countSubtreeUses(tx, source.id));
    const root = await copyRoot(tx, source, target, now);
    if (root === undefined) throw nameTaken(source.name);
    await countChildren(tx, target.parentId, 1);
    if (!source.isDirectory) return root;
    for (let above = 0, copied = 1; copied > 0; ) {
      const highest = await findHighestMarked(tx);
      copied = await copyNextLevel(tx, target.ownerId, above, now);
      above = highest;
    }
    await forgetMarks(tx);
    return root;
  }
}
