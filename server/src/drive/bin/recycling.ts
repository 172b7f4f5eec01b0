import type { Accounts } from '../../accounts/accounts.ts';
import type { Clock } from '../../base/clock.ts';
import { childOf } from '../../base/text/names/logical-path.ts';
import type { Tx } from '../../database/database.ts';
import type { Actor, EntryWithPath } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { moveToBin, sumBinTree } from './queries.ts';

/** Moves entries to the recycle bin. */
export class Recycling {
  readonly #accounts: Accounts;
  readonly #entryEvents: EntryEvents;
  readonly #clock: Clock;

  constructor(parts: { accounts: Accounts; entryEvents: EntryEvents; clock: Clock }) {
    this.#accounts = parts.accounts;
    this.#entryEvents = parts.entryEvents;
    this.#clock = parts.clock;
  }

  /**
   * Moves a live entry and everything below it to the bin, in a transaction that has locked the drive. Its
   * bytes do not count against the quota any more.
   */
  async recycle(tx: Tx, actor: Actor, deleted: EntryWithPath): Promise<void> {
    const { id } = deleted.entry;
    await moveToBin(tx, deleted.entry, deleted.parentPath, this.#clock.now());
    await this.#accounts.releaseUsage(tx, actor.ownerId, { ...(await sumBinTree(tx, id)), entries: 0 });
    await this.#entryEvents.record(tx, actor, {
      eventType: 'DELETED',
      entry: deleted,
      from: childOf(deleted.parentPath, deleted.entry.name),
    });
  }
}
