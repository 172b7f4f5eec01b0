import { type Clock, HOUR, type Instant } from '../base/clock.ts';
import type { NotificationData } from '../base/domain/notifications.ts';
import type { LinkEnding } from '../base/domain/shares.ts';
import type { Database, Tx } from '../database/database.ts';
import type { Notifications } from '../notifications/notifications.ts';
import {
  type EndingLink,
  findExpiring,
  type LinkTable,
  noteExpiring,
  noteUsedUp,
  SOON_MS,
} from './ending-queries.ts';

/**
 * Refunded downloads can use up a share any number of times. After this time, its creator is told again.
 */
const USED_UP_AGAIN_MS = HOUR;
const BATCH = 100;

interface LinkEndingsParts {
  readonly database: Database;
  readonly notifications: Notifications;
  readonly clock: Clock;
  readonly of: NotificationData['SHARE_ENDED']['of'];
  readonly table: LinkTable;
}

/**
 * Tells the creators of links that these were used up or expire soon. What was told is noted in the link's
 * row, in the same transaction.
 */
export class LinkEndings {
  readonly #parts: LinkEndingsParts;

  constructor(parts: LinkEndingsParts) {
    this.#parts = parts;
  }

  /** Tells the creators of links that the transaction has used up. */
  async tellUsedUp(tx: Tx, ids: readonly number[]): Promise<void> {
    const { table, clock } = this.#parts;
    const now = clock.now();
    for (const id of ids) {
      const link = await noteUsedUp(tx, table, { id, now, toldUntil: now - USED_UP_AGAIN_MS });
      if (link !== undefined) await this.#tell(tx, link, 'USED_UP');
    }
  }

  /** Tells the creators of links that expire within a day. Stops when the signal aborts. */
  async tellExpiring(signal: AbortSignal): Promise<void> {
    const { database, table, clock } = this.#parts;
    for (let count = BATCH; count === BATCH && !signal.aborted; ) {
      const now = clock.now();
      const span = { now, until: now + SOON_MS };
      const ids = await findExpiring(database.db, table, { ...span, limit: BATCH });
      for (const id of ids) {
        await database.transact(async (tx) => {
          const link = await noteExpiring(tx, table, { id, ...span });
          if (link !== undefined) await this.#tell(tx, link, 'EXPIRES_SOON');
        });
      }
      count = ids.length;
    }
  }

  async #tell(tx: Tx, { creatorId, ...link }: EndingLink, reason: LinkEnding): Promise<void> {
    if (creatorId === null) return;
    const data = { of: this.#parts.of, ...link, reason };
    await this.#parts.notifications.notify(tx, [creatorId], { kind: 'SHARE_ENDED', data });
  }
}

/** What is noted about a link with this expiry: who chooses one within a day knows that it expires soon. */
export function expiryNotedFor(expiresAt: Instant | null | undefined, now: Instant): LinkEnding | null {
  return expiresAt != null && expiresAt <= now + SOON_MS ? 'EXPIRES_SOON' : null;
}
