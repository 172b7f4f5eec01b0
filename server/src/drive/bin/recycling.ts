import type { Accounts } from '../../accounts/accounts.ts';
import type { Clock } from '../../base/clock.ts';
import { childOf } from '../../base/text/names/logical-path.ts';
import type { Tx } from '../../database/database.ts';
import type { Actor, EntryWithPath } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import type { BinPurges } from './bin-purges.ts';
import { moveToBin, sumBinTree } from './queries.ts';

/** Moves entries to the recycle bin. */
export class Recycling {
  readonly #accounts: Accounts;
  readonly #entryEvents: EntryEvents;
  readonly #purges: BinPurges;
  readonly #clock: Clock;

  constructor(parts: { accounts: Accounts; entryEvents: EntryEvents; purges: BinPurges; clock: Clock }) {
    this.#accounts = parts.accounts;
    this.#entryEvents = parts.entryEvents;
    this.#purges = parts.purges;
    this.#clock = parts.clock;
  }

  /**
   * Moves a live entry and everything below it to the bin, in a transaction that has locked the drive. Its
   * bytes do not count against the quota any more. If the bin is full, the oldest versions and the oldest
   * trees of the bin go, unless it does not stay there.
   */
  async recycle(tx: Tx, actor: Actor, deleted: EntryWithPath, { makesRoom = true } = {}): Promise<void> {
    const { id } = deleted.entry;
    await moveToBin(tx, deleted.entry, deleted.parentPath, this.#clock.now());
    const { bytes, files } = await sumBinTree(tx, id);
    await this.#accounts.correctUsage(tx, actor.ownerId, {
      bytes: -bytes,
      files: -files,
      entries: 0,
      keptBytes: bytes,
    });
    await this.#entryEvents.record(tx, actor, {
      eventType: 'DELETED',
      entry: deleted,
      from: childOf(deleted.parentPath, deleted.entry.name),
    });
    if (makesRoom && bytes > 0) await this.#purges.makeRoomFor(tx, actor, id);
  }
}
