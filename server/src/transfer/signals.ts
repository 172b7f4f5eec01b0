import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Database, Tx } from '../database/database.ts';
import type { PeerRole } from '../database/schema.ts';
import { type Claim, otherThan, roleOf } from './peers.ts';
import { findSession } from './queries.ts';
import { findSignals, forgetRead, insertSignal, type StoredSignal, takeCursor } from './signal-queries.ts';
import { noSuchTransfer, type TransferSession } from './transfer-session.ts';

/** Kept for a session at a time (contract, section 6). */
const MOST_KEPT = 1_000;
/** What has been read is kept too, so that a page can start anew, until room is needed. */
const FORGET_FROM = MOST_KEPT / 2;
/** In one answer: each may be as large as a body. */
const MOST_AT_ONCE = 100;

/** What one of the two tells the other: JSON of any kind, of which we read nothing. */
export interface Message {
  readonly type: string;
  readonly payload: unknown;
}

export interface ReadSignals {
  readonly signals: readonly StoredSignal[];
  /** Where the next read begins. */
  readonly nextCursor: number;
}

/** The messages by which two browsers find each other. In the database, so that each may talk to another instance. */
export class Signals {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(parts: { database: Database; clock: Clock }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
  }

  /**
   * Sends one; gives its cursor.
   * @throws Failure `not-found`; `forbidden` as the claim is refused; `invalid` without a role; `rejected` when the session
   * is not ONLINE; `too-many` while the other side leaves too many unread
   */
  async send(sessionId: string, claim: Claim, message: Message): Promise<StoredSignal> {
    const session = await this.#getOnline(sessionId);
    const from = roleOf(session, claim);
    if (from === undefined) throw new Failure('invalid', 'role must be sender or receiver.');
    return await this.#database.transact(async (tx) => {
      const cursor = await takeCursor(tx, sessionId, MOST_KEPT, this.#clock.now());
      if (cursor === undefined) return await this.#explain(tx, sessionId);
      return await this.add(tx, sessionId, { cursor, from, message });
    });
  }

  /** Adds one under a cursor that was taken for it, and tells those who wait. */
  async add(
    tx: Tx,
    sessionId: string,
    { cursor, from, message }: { cursor: number; from: PeerRole; message: Message },
  ): Promise<StoredSignal> {
    const createdAt = this.#clock.now();
    const signal = { cursor, from, message: JSON.stringify(message), createdAt };
    await insertSignal(tx, sessionId, signal);
    await this.tellChange(tx, sessionId);
    return signal;
  }

  /** Has those who wait for signals of the session look again. */
  async tellChange(tx: Tx, sessionId: string): Promise<void> {
    await this.#database.tell(tx, keyOf(sessionId));
  }

  /**
   * What the other side sent behind the cursor; without a role, what both sent. Waits for the first one, at most so long.
   * @param leaving ends the waiting
   * @throws Failure as `send`, also when the session ends meanwhile
   */
  async read(
    sessionId: string,
    claim: Claim,
    { after, waitMs }: { after: number; waitMs: number },
    leaving: AbortSignal,
  ): Promise<ReadSignals> {
    const session = await this.#getOnline(sessionId);
    const role = roleOf(session, claim);
    const from = role && otherThan(role);
    if (from !== undefined && after > 0 && session.signalCount >= FORGET_FROM) {
      await this.#database.transact((tx) => forgetRead(tx, sessionId, from, after));
    }
    const untilMs = Math.min(this.#clock.now() + waitMs, session.expiresAt);
    const over = new AbortController();
    const end = () => over.abort();
    leaving.addEventListener('abort', end);
    try {
      for (let isLast = waitMs === 0 || leaving.aborted; ; ) {
        // Before looking: what comes behind the look wakes.
        const woken = isLast ? undefined : this.#wait(sessionId, over.signal, untilMs);
        const signals = await findSignals(this.#database.db, sessionId, from, after, MOST_AT_ONCE);
        if (signals.length > 0 || woken === undefined) {
          if (signals.length === 0) await this.#getOnline(sessionId);
          return { signals, nextCursor: signals.at(-1)?.cursor ?? after };
        }
        await this.#getOnline(sessionId);
        isLast = !(await woken);
      }
    } finally {
      leaving.removeEventListener('abort', end);
      over.abort();
    }
  }

  #wait(sessionId: string, signal: AbortSignal, untilMs: number): Promise<boolean> {
    const leftMs = Math.max(0, untilMs - this.#clock.now());
    return this.#database.wakeups.wait(keyOf(sessionId), signal, leftMs);
  }

  async #getOnline(id: string): Promise<TransferSession> {
    const session = await findSession(this.#database.db, id, this.#clock.now());
    if (session === undefined) throw noSuchTransfer();
    checkOnline(session);
    return session;
  }

  async #explain(tx: Tx, sessionId: string): Promise<never> {
    if ((await findSession(tx, sessionId, this.#clock.now())) === undefined) throw noSuchTransfer();
    throw new Failure('too-many', 'Too many signals wait in this transfer.', { retryAfterSeconds: 5 });
  }
}

function checkOnline({ mode }: TransferSession): void {
  if (mode !== 'ONLINE') throw new Failure('rejected', 'Signals are for ONLINE transfers only.');
}

function keyOf(sessionId: string): string {
  return `transfer:${sessionId}`;
}
