import { type Clock, type Instant, MINUTE } from '../../base/clock.ts';
import type { Database } from '../../database/database.ts';
import { endPresence, findPresence, renewPresence, startPresence } from './presence-queries.ts';

/** How long a session is taken for present after the last sign of it, if its instance crashes. */
const PRESENT_MS = 3 * MINUTE;

/** A stream of a login session. */
export interface PresentStream {
  readonly accountId: number;
  readonly sessionId: string;
  readonly streamId: string;
}

/**
 * Which login sessions have a browser open now. The row of a session says until when, and by which stream, so
 * all instances know the same, and there is never more than one row for each session. A session with several
 * streams has the one that opened last; when that one closes, another says again that the session is present.
 */
export class SessionPresence {
  /** How often a stream has to say that its session is still present. */
  readonly renewMs = MINUTE;
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** The key to notify when presence or offers of an account change. */
  keyOf(accountId: number): string {
    return `devices:${accountId}`;
  }

  /** Whether no stream says at the moment that the session is present. */
  async isAbsent(sessionId: string): Promise<boolean> {
    return !isAfter(await findPresence(this.#database.db, sessionId), this.#clock.now());
  }

  /** Says that the session is present. Others of the account learn of it if it was not. */
  async show({ accountId, ...stream }: PresentStream): Promise<void> {
    await this.#database.transactVolatile(async (tx) => {
      const now = this.#clock.now();
      const until = now + PRESENT_MS;
      if (await startPresence(tx, { ...stream, until }, now)) {
        await this.#database.notifyOnCommit(tx, this.keyOf(accountId));
      } else await renewPresence(tx, { ...stream, until });
    });
  }

  /** Says that the stream has closed. Others of the account learn of it if the session is absent now. */
  async hide({ accountId, ...stream }: PresentStream): Promise<void> {
    await this.#database.transactVolatile(async (tx) => {
      if (await endPresence(tx, stream)) await this.#database.notifyOnCommit(tx, this.keyOf(accountId));
    });
  }
}

function isAfter(until: Instant | undefined, now: Instant): boolean {
  return until !== undefined && until > now;
}
