import { type Clock, SECOND } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import type { Database } from '../database/database.ts';
import { holdWriter, releaseWriter, takeWriter } from './queries.ts';
import { notOpen, statusAt, type UploadSession } from './upload-session.ts';

/** A writer that has not been heard of for so long writes no more. */
const LEASE_MS = 3 * SECOND;
const HEARTBEAT_MS = SECOND;

/** Somebody who sends the bytes of a session through us. */
export interface Writer {
  readonly session: UploadSession;
  /** Which attempt of the session this is, from 1. */
  readonly attempt: number;
  readonly id: string;
  /** Ends when somebody else sends, and when the session ends. */
  readonly signal: AbortSignal;
  /** Tells how many bytes have come, to be seen by other instances a moment later. */
  report(sentBytes: number): void;
}

/**
 * Who sends bytes of which session: one at a time, and the newest always wins. A connection that broke without anybody
 * noticing can so never block the one that resumes (anchors: "resume fails because the dead request holds the lock").
 *
 * In one process the earlier writer is stopped and waited for. Across processes the row says who it is: the earlier one
 * notices by its next heartbeat, within a second, and stops; the newcomer waits until it has, or until its lease has run
 * out. Whatever the earlier one records names itself, and is refused from the moment that the newcomer is written down.
 */
export class Writers {
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
  async run<T>(session: UploadSession, work: (writer: Writer) => Promise<T>): Promise<T> {
    const end = new AbortController();
    const earlier = this.#here.get(session.id);
    const { promise: ended, resolve: tellEnded } = Promise.withResolvers<void>();
    const own = { end, ended };
    this.#here.set(session.id, own);
    try {
      earlier?.end.abort(tookOver());
      await earlier?.ended;
      end.signal.throwIfAborted();
      return await this.#write(session, end, work);
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
    work: (writer: Writer) => Promise<T>,
  ): Promise<T> {
    const id = this.#ids.uuid();
    const { attempts, earlierUntil, ...taken } = await this.#take(session, id);
    let sentBytes = 0;
    const heartbeat = setInterval(() => {
      this.#database
        .transact((tx) => holdWriter(tx, session.id, id, { ...this.#times(), sentBytes }))
        .then((isHeld) => isHeld || end.abort(tookOver()))
        // A database out of reach is noticed by whoever records the bytes.
        .catch(() => undefined);
    }, HEARTBEAT_MS);
    try {
      await this.#waitUntil(earlierUntil, end.signal);
      const report = (bytes: number) => {
        sentBytes = bytes;
      };
      return await work({ session: taken.session, attempt: attempts, id, signal: end.signal, report });
    } finally {
      clearInterval(heartbeat);
      await this.#database.transact((tx) => releaseWriter(tx, session.id, id)).catch(() => undefined);
    }
  }

  async #take(session: UploadSession, id: string) {
    const taken = await this.#database.transact((tx) => takeWriter(tx, session.id, id, this.#times()));
    if (taken === undefined) throw notOpen(statusAt(session, this.#clock.now()));
    return taken;
  }

  async #waitUntil(earlierUntil: number, signal: AbortSignal): Promise<void> {
    const waitMs = Math.min(earlierUntil - this.#clock.now(), LEASE_MS);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    signal.throwIfAborted();
  }

  #times() {
    const now = this.#clock.now();
    return { now, until: now + LEASE_MS };
  }
}

function tookOver(): Failure {
  return new Failure('rejected', 'Another request sends this upload now.');
}
