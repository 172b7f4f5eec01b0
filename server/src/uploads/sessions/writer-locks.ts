import { type Clock, SECOND } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database } from '../../database/database.ts';
import { expiryAfterProgress, notOpen, OPEN, statusAt, type UploadSession } from '../upload-session.ts';
import { findSession } from './session-queries.ts';
import {
  acquireWriterLock,
  releaseWriterLock,
  renewWriterLock,
  requestWriterLock,
} from './writer-queries.ts';

/** A holder that has not renewed its lock for this long counts as dead. */
const LEASE_MS = 3 * SECOND;
const RENEWAL_MS = SECOND;
/** The maximum number of renewals of a lock that wait for the database. */
const MAX_PENDING = LEASE_MS / RENEWAL_MS;
/** How often a request checks whether the holder on another instance has released the lock. */
const POLL_MS = 100;

/** The exclusive right of one request to write the bytes of a session. */
export interface WriterLock {
  /** The session when the lock was acquired. No other request has changed its bytes since then. */
  readonly session: UploadSession;
  /** The number of this attempt to write the session, from 1. */
  readonly attempt: number;
  readonly id: string;
  /** Aborted when a newer request takes over the lock, or the session ends. */
  readonly signal: AbortSignal;
  /** Reports the received bytes; other instances see them after the next renewal. */
  report(sentBytes: number): void;
}

interface WriterLockOptions {
  /**
   * Whether the holder is also aborted when its lease has expired and another instance could have replaced
   * it. Required if holders append to the same object, because the next holder may already be appending.
   */
  readonly abortsWhenExpired?: boolean;
}

interface WriterLocksParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Locks sessions for writing: one request at a time, and the newest request always wins. So a dead connection
 * can never block the request that resumes the upload, even before the failure is detected.
 *
 * Within a process the earlier holder is aborted and awaited. Across processes the newer request records its
 * demand in the session's row. The earlier holder sees it at its next renewal, within a second, records its
 * bytes and releases the lock. A holder that does not respond is replaced once its lease has expired. Its
 * later changes are rejected, because every change names the lock.
 */
export class WriterLocks {
  readonly #parts: WriterLocksParts;
  /** The newest request of this process, by session id. */
  readonly #holders = new Map<string, Holder>();

  constructor(parts: WriterLocksParts) {
    this.#parts = parts;
  }

  /**
   * Acquires the lock of a session, runs `work`, and releases the lock.
   * @throws Failure `rejected` when the session is not open
   * @throws ReplacedByNewer when a newer request has taken over the lock
   */
  async withLock<T>(
    session: UploadSession,
    work: (lock: WriterLock) => Promise<T>,
    options: WriterLockOptions = {},
  ): Promise<T> {
    const abort = new AbortController();
    const earlier = this.#holders.get(session.id);
    const { promise: released, resolve: setReleased } = Promise.withResolvers<void>();
    const holder = { abort, released };
    this.#holders.set(session.id, holder);
    try {
      earlier?.abort.abort(new ReplacedByNewer());
      await earlier?.released;
      abort.signal.throwIfAborted();
      return await this.#acquireAndRun(session, abort, work, options);
    } finally {
      if (this.#holders.get(session.id) === holder) this.#holders.delete(session.id);
      setReleased();
    }
  }

  /** Aborts this process's holder of the lock, if there is one, and waits until it has released the lock. */
  async abort(sessionId: string, reason: Failure): Promise<void> {
    const holder = this.#holders.get(sessionId);
    holder?.abort.abort(reason);
    await holder?.released;
  }

  async #acquireAndRun<T>(
    session: UploadSession,
    abort: AbortController,
    work: (lock: WriterLock) => Promise<T>,
    { abortsWhenExpired = false }: WriterLockOptions,
  ): Promise<T> {
    const id = this.#parts.ids.uuid();
    const acquired = await this.#acquire(session, id, abort.signal);
    let sentBytes = 0;
    let renewedBytes = acquired.session.received.size;
    let lockedUntil = acquired.until;
    // On SQLite only one service uses the database at a time, so no one else can take the lock. Its lease may
    // expire all the same, because a renewal may wait for a long transaction.
    const mayBeReplaced = abortsWhenExpired && this.#parts.database.isShared;
    let pending = 0;
    const renewal = setInterval(() => {
      const times = this.#times();
      if (mayBeReplaced && times.now >= lockedUntil) abort.abort(lostLock());
      if (pending === MAX_PENDING) return;
      pending += 1;
      // Even bytes that are not durable yet extend the session: a slow client needs long for one part.
      const hasMore = sentBytes > renewedBytes;
      const expiresAt = hasMore ? expiryAfterProgress(acquired.session, times.now) : undefined;
      renewedBytes = Math.max(renewedBytes, sentBytes);
      this.#parts.database
        .transact((tx) => renewWriterLock(tx, session.id, id, { ...times, sentBytes, expiresAt }))
        .then((isRenewed) => {
          if (isRenewed) lockedUntil = times.until;
          else abort.abort(new ReplacedByNewer());
        })
        // If the database is unreachable, recording the bytes also fails, and reports it.
        .catch(() => undefined)
        .finally(() => {
          pending -= 1;
        });
    }, RENEWAL_MS);
    try {
      return await work({
        session: acquired.session,
        attempt: acquired.attempt,
        id,
        signal: abort.signal,
        report: (bytes) => {
          sentBytes = bytes;
        },
      });
    } finally {
      clearInterval(renewal);
      await this.#parts.database
        .transact((tx) => releaseWriterLock(tx, session.id, id))
        .catch(() => undefined);
    }
  }

  async #acquire(session: UploadSession, id: string, signal: AbortSignal) {
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      const times = this.#times();
      const acquired = await this.#parts.database.transact(async (tx) => {
        const requested = await requestWriterLock(tx, session.id, id, {
          now: times.now,
          isRepeated: waitedMs > 0,
        });
        if (requested === undefined) return undefined;
        const { holder, holderUntil } = requested;
        const isBusy = holder !== null && holderUntil > times.now && waitedMs < LEASE_MS;
        return isBusy ? 'busy' : await acquireWriterLock(tx, session.id, id, times);
      });
      if (acquired === undefined) throw await this.findRefusal(session);
      if (acquired !== 'busy') return { ...acquired, until: times.until };
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      signal.throwIfAborted();
    }
  }

  /** The reason why a request cannot write the session, or has lost its lock. */
  async findRefusal(session: UploadSession): Promise<Failure> {
    const now = (await findSession(this.#parts.database.db, session.driveId, session.id)) ?? session;
    const status = statusAt(now, this.#parts.clock.now());
    return OPEN.includes(status) ? new ReplacedByNewer() : notOpen(status);
  }

  #times() {
    const now = this.#parts.clock.now();
    return { now, until: now + LEASE_MS };
  }
}

interface Holder {
  readonly abort: AbortController;
  /** Resolves when the lock is released, or was never acquired. */
  readonly released: Promise<unknown>;
}

/** A newer request has taken over the writer lock, or is waiting for it. */
export class ReplacedByNewer extends Failure {
  constructor() {
    super('rejected', 'A newer request sends this upload now.');
  }
}

function lostLock(): Failure {
  return new Failure('unavailable', 'The database is unreachable. Please resume the upload later.');
}
