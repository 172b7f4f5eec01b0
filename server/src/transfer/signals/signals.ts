import type { Clock } from '../../base/clock.ts';
import type { PeerRole } from '../../base/domain/transfers.ts';
import { Failure } from '../../base/failure.ts';
import { hashToken } from '../../base/text/hash-token.ts';
import { isDeeperThan } from '../../base/text/json.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { OnlineStorageBudget, Payer } from '../online-storage-budget.ts';
import { findSession } from '../queries.ts';
import { noSuchTransfer, type TransferSession } from '../transfer-session.ts';
import { MAX_SIGNALS } from './contract.ts';
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

/** The limit for the stored signals of one session. */
const MAX_STORED: SignalLimits = { signals: 1_000, bytes: 8 * 1024 ** 2 };
/**
 * Signals that were read are deleted once a session has this many. Until then they stay, so that a reloaded
 * page can read them again.
 */
const DELETE_READ_FROM: SignalLimits = { signals: MAX_STORED.signals / 2, bytes: MAX_STORED.bytes / 2 };
const MAX_PAGE: SignalLimits = { signals: MAX_SIGNALS, bytes: 256 * 1024 };
/** More deeply nested JSON can be parsed, but serializing it again would overflow the stack. */
const MAX_DEPTH = 1_000;
/** A timer can fire about a millisecond early. A read must not end before the session has expired. */
const TIMER_TOLERANCE_MS = 5;

/** A message from one peer to the other. The payload is any JSON; the service does not interpret it. */
export interface Message {
  readonly type: string;
  readonly payload: unknown;
}

interface ReadSignals {
  readonly signals: readonly StoredSignal[];
  /** The value of `after` for the next read. */
  readonly nextCursor: number;
}

interface SignalsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly budget: OnlineStorageBudget;
}

/**
 * The messages that two browsers exchange to connect to each other. They are stored in the database, so the
 * browsers may use different instances.
 */
export class Signals {
  readonly #parts: SignalsParts;
  readonly #polls = new LongPollLimiter();

  constructor(parts: SignalsParts) {
    this.#parts = parts;
  }

  /**
   * Stores a message for the other peer.
   * @throws Failure `not-found`; `forbidden` for a wrong claim; `invalid` without a role, or for a message
   *   that is nested too deeply; `rejected` when the session is not ONLINE; `too-many` while too many signals
   *   are unread, or when the payer has used up the budget
   */
  async send(sessionId: string, claim: PeerClaim, message: Message, payer: Payer): Promise<StoredSignal> {
    const session = await this.#getOnline(sessionId);
    const from = roleOf(session, claim);
    if (from === undefined) throw new Failure('invalid', 'role must be sender or receiver.');
    if (isDeeperThan(message.payload, MAX_DEPTH)) {
      throw new Failure('invalid', `payload must not be nested deeper than ${MAX_DEPTH} levels.`);
    }
    const text = JSON.stringify(message);
    const store = () =>
      this.#parts.database.transact(async (tx) => {
        const by = { tokenHash: claim.token === undefined ? undefined : hashToken(claim.token) };
        const cursor = await reserveCursor(tx, sessionId, { ...MAX_STORED, ...by }, this.#parts.clock.now());
        if (cursor === undefined) throw await this.#findRefusal(tx, sessionId, claim);
        return await this.add(tx, sessionId, { cursor, from, message: text });
      });
    const stored = { rows: 1, textBytes: Buffer.byteLength(text) };
    return await this.#parts.budget.charge(payer, stored, store);
  }

  /** Inserts a signal with a reserved cursor, and wakes waiting reads when the transaction commits. */
  async add(
    tx: Tx,
    sessionId: string,
    sent: Pick<StoredSignal, 'cursor' | 'from' | 'message'>,
  ): Promise<StoredSignal> {
    const signal = { ...sent, createdAt: this.#parts.clock.now() };
    await insertSignal(tx, sessionId, signal);
    await this.publishChange(tx, sessionId);
    return signal;
  }

  /** Adds a signal of the service itself, on behalf of one side. Does nothing while too many are unread. */
  async tryAdd(tx: Tx, sessionId: string, signal: { from: PeerRole; type: string }): Promise<void> {
    const cursor = await reserveCursor(tx, sessionId, MAX_STORED, this.#parts.clock.now());
    if (cursor === undefined) return;
    const message = JSON.stringify({ type: signal.type, payload: null });
    await this.add(tx, sessionId, { cursor, from: signal.from, message });
  }

  /** Makes waiting reads of the session query again once the transaction commits. */
  async publishChange(tx: Tx, sessionId: string): Promise<void> {
    await this.#parts.database.notifyOnCommit(tx, keyOf(sessionId));
  }

  /**
   * Reads the other side's signals after a cursor; without a role, the signals of both sides. If there are
   * none, waits up to `waitMs` for the first one. The wait ends early if too many newer reads of the same
   * side are waiting.
   * @param disconnected aborted when the client disconnects; ends the wait
   * @throws Failure as `send`, also when the session ends meanwhile; `too-many` when too many reads wait
   */
  async read(
    sessionId: string,
    claim: PeerClaim,
    { after, waitMs }: { after: number; waitMs: number },
    disconnected: AbortSignal,
  ): Promise<ReadSignals> {
    const session = await this.#getOnline(sessionId);
    const role = roleOf(session, claim);
    const from = role && oppositeOf(role);
    if (from !== undefined && after > 0 && (await this.#isFilling(session))) {
      await this.#parts.database.transact((tx) => deleteReadSignals(tx, sessionId, from, after));
    }
    const find = () => findSignals(this.#parts.database.db, sessionId, from, after, MAX_PAGE);
    const answer = async (signals: Awaited<ReturnType<typeof find>>) => {
      // A receiver that has left must not read the next receiver's signals.
      roleOf(await this.#getOnline(sessionId), claim);
      return toRead(signals, after);
    };
    if (waitMs === 0) return await answer(await find());
    const untilMs = Math.min(this.#parts.clock.now() + waitMs, session.expiresAt + TIMER_TOLERANCE_MS);
    // Polls without a token are counted separately, so that they can never end the poll of a peer with a
    // token.
    const side = `${sessionId} ${role} ${claim.token === undefined ? 'claimed' : 'proved'}`;
    const poll = this.#polls.acquire(side, disconnected);
    try {
      for (let isLast = poll.signal.aborted; ; ) {
        // Subscribes before it queries, so that a signal inserted after the query wakes this read.
        const woken = isLast ? undefined : this.#wait(sessionId, poll.signal, untilMs);
        const signals = await find();
        if (signals.length > 0 || woken === undefined) return await answer(signals);
        roleOf(await this.#getOnline(sessionId), claim);
        isLast = !(await woken);
      }
    } finally {
      poll.release();
    }
  }

  #wait(sessionId: string, signal: AbortSignal, untilMs: number): Promise<boolean> {
    const leftMs = Math.max(0, untilMs - this.#parts.clock.now());
    return this.#parts.database.wakeups.wait(keyOf(sessionId), signal, leftMs);
  }

  async #isFilling({ id, signalCount }: TransferSession): Promise<boolean> {
    if (signalCount >= DELETE_READ_FROM.signals) return true;
    if (signalCount < MAX_UNSUMMED_SIGNALS) return false;
    return (await sumSignalBytes(this.#parts.database.db, id)) >= DELETE_READ_FROM.bytes;
  }

  async #getOnline(id: string): Promise<TransferSession> {
    const session = await findSession(this.#parts.database.db, id, this.#parts.clock.now());
    if (session === undefined) throw noSuchTransfer();
    checkOnline(session);
    return session;
  }

  async #findRefusal(tx: Tx, sessionId: string, claim: PeerClaim): Promise<Failure> {
    const session = await findSession(tx, sessionId, this.#parts.clock.now());
    if (session === undefined) return noSuchTransfer();
    // The receiver may have left meanwhile.
    roleOf(session, claim);
    return new Failure('too-many', 'This transfer has too many unread signals.', { retryAfterSeconds: 5 });
  }
}

/** @throws Failure `rejected` */
export function checkOnline({ mode }: TransferSession): void {
  if (mode !== 'ONLINE') throw new Failure('rejected', 'Signals are for ONLINE transfers only.');
}

function toRead(signals: readonly StoredSignal[], after: number): ReadSignals {
  return { signals, nextCursor: signals.at(-1)?.cursor ?? after };
}

function keyOf(sessionId: string): string {
  return `transfer:${sessionId}`;
}
