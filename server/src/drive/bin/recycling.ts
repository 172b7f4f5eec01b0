import type { Clock } from '../../base/clock.ts';
import { childOf } from '../../base/text/names/logical-path.ts';
import type { Tx } from '../../database/database.ts';
import { correctUsage, type Drives } from '../../drives/drives.ts';
import type { Actor, EntryWithPath } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import type { BinPurges } from './bin-purges.ts';
import { moveToBin, sumBinTree } from './queries.ts';

interface RecyclingParts {
  readonly drives: Drives;
  readonly entryEvents: EntryEvents;
  readonly purges: BinPurges;
  readonly clock: Clock;
}

/** Moves entries to the recycle bin. */
export class Recycling {
  readonly #parts: RecyclingParts;

  constructor(parts: RecyclingParts) {
    this.#parts = parts;
  }

  /**
   * Moves a live entry and everything below it to the bin, in a transaction that has locked the drive. Its
   * bytes no longer count against the quota. If the bin is full, the oldest versions and the oldest trees in
   * the bin are purged. An entry that is purged next needs no room in the bin, so its caller sets `makesRoom`
   * to false.
   */
  async recycle(tx: Tx, actor: Actor, deleted: EntryWithPath, { makesRoom = true } = {}): Promise<void> {
    const { id } = deleted.entry;
    const change = { accountId: actor.accountId, now: this.#parts.clock.now() };
    await moveToBin(tx, deleted.entry, deleted.parentPath, change);
    const { bytes, files } = await sumBinTree(tx, id);
    await correctUsage(tx, actor.driveId, {
      bytes: -bytes,
      files: -files,
      entries: 0,
      keptBytes: bytes,
    });
    await this.#parts.entryEvents.record(tx, actor, {
      eventType: 'DELETED',
      entry: deleted,
      from: childOf(deleted.parentPath, deleted.entry.name),
    });
    if (makesRoom && bytes > 0) await this.#parts.purges.makeRoomFor(tx, actor, id);
  }
}
