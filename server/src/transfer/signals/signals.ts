import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { isDeeperThan } from '../../base/text/json-depth.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { AnonymousStorageBudget } from '../anonymous-storage-budget.ts';
import { findSession } from '../queries.ts';
import { noSuchTransfer, type TransferSession } from '../transfer-session.ts';
import { LongPollLimiter } from './long-poll-limiter.ts';
import { oppositeOf, type PeerClaim, roleOf } from './peer-token.ts';
import {
  deleteReadSignals,
  findSignals,
  insertSignal,
  MAX_UNSUMMED_SIGNALS,
  reserveCursor,
  type SignalLimits,
  type StoredSignal,
  sumSignalBytes,
} from './queries.ts';

/** Kept for a session at a time (contract, section 6). */
const MAX_STORED: SignalLimits = { signals: 1_000, bytes: 8 * 1024 ** 2 };
/** What has been read is kept too, so that a page can start anew, until room is needed. */
const DELETE_READ_FROM: SignalLimits = { signals: MAX_STORED.signals / 2, bytes: MAX_STORED.bytes / 2 };
const MAX_PAGE = { signals: 100, bytes: 256 * 1024 };
/** Deeper ones could be read, but not written again. */
const MAX_DEPTH = 1_000;

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
  readonly #anonymousBudget: AnonymousStorageBudget;
  readonly #polls = new LongPollLimiter();

  constructor(parts: { database: Database; clock: Clock; anonymousBudget: AnonymousStorageBudget }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#anonymousBudget = parts.anonymousBudget;
  }

  /**
   * Sends one; gives its cursor.
   * @param address of somebody without a login
   * @throws Failure `not-found`; `forbidden` as the claim is refused; `invalid` without a role, or nested too deep;
   * `rejected` when the session is not ONLINE; `too-many` while the other side leaves too many unread
   */
  async send(
    sessionId: string,
    claim: PeerClaim,
    message: Message,
    address: string | undefined,
  ): Promise<StoredSignal> {
    const session = await this.#getOnline(sessionId);
    const from = roleOf(session, claim);
    if (from === undefined) throw new Failure('invalid', 'role must be sender or receiver.');
    if (isDeeperThan(message.payload, MAX_DEPTH)) {
      throw new Failure('invalid', `payload must not be nested deeper than ${MAX_DEPTH} levels.`);
    }
    const text = JSON.stringify(message);
    const keep = () =>
      this.#database.transact(async (tx) => {
        const cursor = await reserveCursor(tx, sessionId, MAX_STORED, this.#clock.now());
        if (cursor === undefined) return await this.#explain(tx, sessionId);
        return await this.add(tx, sessionId, { cursor, from, message: text });
      });
    return await this.#anonymousBudget.charge(address, { rows: 1, textBytes: text.length }, keep);
  }

  /** Adds one under a cursor that was taken for it, and tells those who wait. */
  async add(
    tx: Tx,
    sessionId: string,
    sent: Pick<StoredSignal, 'cursor' | 'from' | 'message'>,
  ): Promise<StoredSignal> {
    const signal = { ...sent, createdAt: this.#clock.now() };
    await insertSignal(tx, sessionId, signal);
    await this.publishChange(tx, sessionId);
    return signal;
  }

  /** Has those who wait for signals of the session look again. */
  async publishChange(tx: Tx, sessionId: string): Promise<void> {
    await this.#database.notifyOnCommit(tx, keyOf(sessionId));
  }

  /**
   * What the other side sent behind the cursor; without a role, what both sent. Waits for the first one, at most so long.
   * Waits less long where newer ones of the same side wait.
   * @param leaving ends the waiting
   * @throws Failure as `send`, also when the session ends meanwhile; `too-many` when too many wait
   */
  async read(
    sessionId: string,
    claim: PeerClaim,
    { after, waitMs }: { after: number; waitMs: number },
    leaving: AbortSignal,
  ): Promise<ReadSignals> {
    const session = await this.#getOnline(sessionId);
    const role = roleOf(session, claim);
    const from = role && oppositeOf(role);
    if (from !== undefined && after > 0 && (await this.#isFilling(session))) {
      await this.#database.transact((tx) => deleteReadSignals(tx, sessionId, from, after));
    }
    const look = () => findSignals(this.#database.db, sessionId, from, after, MAX_PAGE);
    if (waitMs === 0) return toRead(await look(), after);
    const untilMs = Math.min(this.#clock.now() + waitMs, session.expiresAt);
    // Whoever only says to be one of the two never ends the waiting of the one who has proved it.
    const side = `${sessionId} ${role} ${claim.token === undefined ? 'said' : 'proved'}`;
    const poll = this.#polls.begin(side, leaving);
    try {
      for (let isLast = poll.signal.aborted; ; ) {
        // Before looking: what comes behind the look wakes.
        const woken = isLast ? undefined : this.#wait(sessionId, poll.signal, untilMs);
        const signals = await look();
        if (signals.length > 0 || woken === undefined) {
          if (signals.length === 0) await this.#getOnline(sessionId);
          return toRead(signals, after);
        }
        await this.#getOnline(sessionId);
        isLast = !(await woken);
      }
    } finally {
      poll.end();
    }
  }

  #wait(sessionId: string, signal: AbortSignal, untilMs: number): Promise<boolean> {
    const leftMs = Math.max(0, untilMs - this.#clock.now());
    return this.#database.wakeups.wait(keyOf(sessionId), signal, leftMs);
  }

  async #isFilling({ id, signalCount }: TransferSession): Promise<boolean> {
    if (signalCount >= DELETE_READ_FROM.signals) return true;
    if (signalCount < MAX_UNSUMMED_SIGNALS) return false;
    return (await sumSignalBytes(this.#database.db, id)) >= DELETE_READ_FROM.bytes;
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

function toRead(signals: readonly StoredSignal[], after: number): ReadSignals {
  return { signals, nextCursor: signals.at(-1)?.cursor ?? after };
}

function keyOf(sessionId: string): string {
  return `transfer:${sessionId}`;
}
