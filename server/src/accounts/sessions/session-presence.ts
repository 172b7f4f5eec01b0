import { type Clock, type Instant, MINUTE } from '../../base/clock.ts';
import type { Database } from '../../database/database.ts';
import { endPresence, findPresence, renewPresence, startPresence } from './presence-queries.ts';

/** How long a session counts as present after its last renewal, if its instance crashes. */
const PRESENT_MS = 3 * MINUTE;

/** An event stream that is open in a login session. */
interface PresentStream {
  readonly accountId: number;
  readonly sessionId: string;
  readonly streamId: string;
}

interface SessionPresenceParts {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Tracks which login sessions have an open browser. A session's row stores how long it counts as present, and
 * the id of the stream that renewed it last, so all instances agree. When that stream closes, the session is
 * absent until another of its streams marks it as present again.
 */
export class SessionPresence {
  /** How often a stream has to mark its session as present. */
  readonly renewMs = MINUTE;
  readonly #parts: SessionPresenceParts;

  constructor(parts: SessionPresenceParts) {
    this.#parts = parts;
  }

  /** The key to notify when presence or offers of an account change. */
  keyOf(accountId: number): string {
    return `devices:${accountId}`;
  }

  /** Whether no open stream has marked the session as present. */
  async isAbsent(sessionId: string): Promise<boolean> {
    return !isAfter(await findPresence(this.#parts.database.db, sessionId), this.#parts.clock.now());
  }

  /** Marks the session as present. Notifies the other sessions of the account if it was absent. */
  async markPresent({ accountId, ...stream }: PresentStream): Promise<void> {
    await this.#parts.database.transactVolatile(async (tx) => {
      const now = this.#parts.clock.now();
      const until = now + PRESENT_MS;
      if (await startPresence(tx, { ...stream, until }, now)) {
        await this.#parts.database.notifyOnCommit(tx, this.keyOf(accountId));
      } else await renewPresence(tx, { ...stream, until });
    });
  }

  /**
   * Records that the stream has closed. Notifies the other sessions of the account if the session is now
   * absent.
   */
  async markAbsent({ accountId, ...stream }: PresentStream): Promise<void> {
    await this.#parts.database.transactVolatile(async (tx) => {
      if (await endPresence(tx, stream)) await this.#parts.database.notifyOnCommit(tx, this.keyOf(accountId));
    });
  }
}

function isAfter(until: Instant | undefined, now: Instant): boolean {
  return until !== undefined && until > now;
}
