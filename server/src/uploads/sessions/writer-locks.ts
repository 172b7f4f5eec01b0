import { type Clock, SECOND } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database } from '../../database/database.ts';
import { notOpen, OPEN, statusAt, type UploadSession } from '../upload-session.ts';
import { findSession } from './session-queries.ts';
import {
  acquireWriterLock,
  releaseWriterLock,
  renewWriterLock,
  requestWriterLock,
} from './writer-queries.ts';

/** A writer that has not been heard of for so long is taken for dead. */
const LEASE_MS = 3 * SECOND;
const HEARTBEAT_MS = SECOND;
/** How often a newcomer looks whether the earlier writer, in another process, has stopped. */
const POLL_MS = 100;

/** Somebody who sends the bytes of a session through us. */
export interface WriterLock {
  /** As it was when this one became the writer. Nobody else's bytes have counted since. */
  readonly session: UploadSession;
  /** Which attempt of the session this is, from 1. */
  readonly attempt: number;
  readonly id: string;
  /** Ends when somebody else sends, and when the session ends. */
  readonly signal: AbortSignal;
  /** Tells how many bytes have come, to be seen by other instances a moment later. */
  report(sentBytes: number): void;
}

export interface WriterOptions {
  /** Ends the writer also when it cannot say that it lives: for those who write where the next one goes on. */
  readonly isShared?: boolean;
}

/**
 * Who sends bytes of which session: one at a time, and the newest always wins. A connection that broke without anybody
 * noticing can so never block the one that resumes (anchors: "resume fails because the dead request holds the lock").
 *
 * In one process the earlier writer is stopped and waited for. Across processes the newcomer asks in the row; the
 * earlier one sees that at its next heartbeat, within a second, records what it has and leaves. One that is not heard of
 * is replaced when its lease has run out: whatever it records later names itself, and is refused.
 */
export class WriterLocks {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #here = new Map<string, { readonly end: AbortController; readonly ended: Promise<unknown> }>();

  constructor(parts: { database: Database; clock: Clock; ids: Ids }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
  }

  /**
   * Lets `work` write while it is the newest. Its signal's reason is what the caller is told.
   * @throws Failure `rejected` when the session is not open; what the work throws
   */
  async run<T>(
    session: UploadSession,
    work: (writer: WriterLock) => Promise<T>,
    options: WriterOptions = {},
  ): Promise<T> {
    const end = new AbortController();
    const earlier = this.#here.get(session.id);
    const { promise: ended, resolve: tellEnded } = Promise.withResolvers<void>();
    const own = { end, ended };
    this.#here.set(session.id, own);
    try {
      earlier?.end.abort(replacedByNewer());
      await earlier?.ended;
      end.signal.throwIfAborted();
      return await this.#write(session, end, work, options);
    } finally {
      if (this.#here.get(session.id) === own) this.#here.delete(session.id);
      tellEnded();
    }
  }

  /** Stops whoever sends here, and waits until it has stopped. */
  async end(sessionId: string, reason: Failure): Promise<void> {
    const writer = this.#here.get(sessionId);
    writer?.end.abort(reason);
    await writer?.ended;
  }

  async #write<T>(
    session: UploadSession,
    end: AbortController,
    work: (writer: WriterLock) => Promise<T>,
    { isShared = false }: WriterOptions,
  ): Promise<T> {
    const id = this.#ids.uuid();
    const taken = await this.#take(session, id, end.signal);
    let sentBytes = 0;
    let lockedUntil = taken.until;
    const heartbeat = setInterval(() => {
      const times = this.#times();
      if (isShared && times.now >= lockedUntil) end.abort(lostLock());
      this.#database
        .transact((tx) => renewWriterLock(tx, session.id, id, { ...times, sentBytes }))
        .then((isRenewed) => {
          if (isRenewed) lockedUntil = times.until;
          else end.abort(replacedByNewer());
        })
        // A database out of reach is noticed by whoever records the bytes.
        .catch(() => undefined);
    }, HEARTBEAT_MS);
    try {
      return await work({
        session: taken.session,
        attempt: taken.attempt,
        id,
        signal: end.signal,
        report: (bytes) => {
          sentBytes = bytes;
        },
      });
    } finally {
      clearInterval(heartbeat);
      await this.#database.transact((tx) => releaseWriterLock(tx, session.id, id)).catch(() => undefined);
    }
  }

  async #take(session: UploadSession, id: string, signal: AbortSignal) {
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      const times = this.#times();
      const taken = await this.#database.transact(async (tx) => {
        const asked = await requestWriterLock(tx, session.id, id, { now: times.now, again: waitedMs > 0 });
        if (asked === undefined) return undefined;
        const isBusy = asked.earlier !== null && asked.earlierUntil > times.now && waitedMs < LEASE_MS;
        return isBusy ? 'busy' : await acquireWriterLock(tx, session.id, id, times);
      });
      if (taken === undefined) throw await this.#findRefusal(session);
      if (taken !== 'busy') return { ...taken, until: times.until };
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      signal.throwIfAborted();
    }
  }

  async #findRefusal(session: UploadSession): Promise<Failure> {
    const now = (await findSession(this.#database.db, session.ownerId, session.id)) ?? session;
    const status = statusAt(now, this.#clock.now());
    return OPEN.includes(status) ? replacedByNewer() : notOpen(status);
  }

  #times() {
    const now = this.#clock.now();
    return { now, until: now + LEASE_MS };
  }
}

function replacedByNewer(): Failure {
  return new Failure('rejected', 'Another request sends this upload now.');
}

function lostLock(): Failure {
  return new Failure('unavailable', 'The database is out of reach. Please go on with the upload later.');
}
