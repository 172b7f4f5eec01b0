import type { Clock } from '../base/clock.ts';
import { MAX_NAMED_SENDERS } from '../base/domain/notifications.ts';
import type { Database, Tx } from '../database/database.ts';
import type { LinkEndings } from '../links/links.ts';
import type { Notifications } from '../notifications/notifications.ts';
import {
  type CountedFile,
  findLinksToTell,
  setSenders,
  takeUnnotified,
  type UnnotifiedFiles,
} from './received-queries.ts';

const BATCH = 100;

interface ReceivedFilesParts {
  readonly database: Database;
  readonly notifications: Notifications;
  readonly endings: LinkEndings;
  readonly clock: Clock;
}

/**
 * Tells the creators of folder links about received files: about the first at once, about later ones an hour
 * after the previous notification.
 */
export class ReceivedFiles {
  readonly #parts: ReceivedFilesParts;

  constructor(parts: ReceivedFilesParts) {
    this.#parts = parts;
  }

  /**
   * Tells the creator in the transaction that adds the file, if one is due, and if the link is now used up.
   * @param counted what `countReceived` returned in this transaction
   * @param sender the name that the visitor gave
   */
  async tell(tx: Tx, counted: CountedFile, sender: string | null): Promise<void> {
    const { linkId, senders, tellAt, isFull } = counted;
    const isNew = sender !== null && !senders.includes(sender) && senders.length < MAX_NAMED_SENDERS;
    if (isNew) await setSenders(tx, linkId, [...senders, sender]);
    if (tellAt <= this.#parts.clock.now()) await this.#tellOne(tx, linkId);
    if (isFull) await this.#parts.endings.tellUsedUp(tx, [linkId]);
  }

  /**
   * Tells the creator of a link that is deleted about its collected files, before the hour is over.
   * @param deletedBy null if an administrator deletes it; someone who deletes their own link is not told
   */
  async tellBeforeDeletion(tx: Tx, files: UnnotifiedFiles, deletedBy: number | null): Promise<void> {
    if (files.files > 0 && files.creatorId !== deletedBy) await this.#tellAbout(tx, files);
  }

  /** Whether creators must be told about collected files now. */
  async hasDue(): Promise<boolean> {
    const { database, clock } = this.#parts;
    return (await findLinksToTell(database.db, clock.now(), 1)).length > 0;
  }

  /** Tells creators about files that were collected for an hour. Stops when the signal aborts. */
  async tellDue(signal: AbortSignal): Promise<void> {
    const { database, clock } = this.#parts;
    for (let count = BATCH; count === BATCH && !signal.aborted; ) {
      const ids = await findLinksToTell(database.db, clock.now(), BATCH);
      for (const id of ids) await database.transact((tx) => this.#tellOne(tx, id));
      count = ids.length;
    }
  }

  async #tellOne(tx: Tx, linkId: number): Promise<void> {
    const taken = await takeUnnotified(tx, linkId, this.#parts.clock.now());
    if (taken !== undefined) await this.#tellAbout(tx, taken);
  }

  async #tellAbout(tx: Tx, { creatorId, ...data }: UnnotifiedFiles): Promise<void> {
    if (creatorId === null) return;
    await this.#parts.notifications.notify(tx, [creatorId], { kind: 'LINK_FILES', data });
  }
}
