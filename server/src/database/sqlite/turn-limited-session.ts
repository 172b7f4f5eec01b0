import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_TURN_MS } from '../../base/concurrency/turns.ts';
import type { SqliteSession, StatementResult } from './session.ts';

/** A session whose statements run when they are called. */
interface SynchronousSession extends SqliteSession {
  execute(sql: string, parameters: readonly unknown[]): StatementResult;
}

/**
 * A connection on the thread of the event loop. Awaiting one of its statements does not let the event loop
 * turn, because the result is there at once. So a loop of short statements would stop everything else, and
 * this session ends the turn when its statements have taken long enough.
 */
export class TurnLimitedSession implements SqliteSession {
  readonly #session: SynchronousSession;
  readonly #maxMs: number;
  /** When the first statement of this turn began. */
  #beganAt: number | undefined;

  /** @param maxMs lets tests choose how long statements may take in one turn */
  constructor(session: SynchronousSession, maxMs = MAX_TURN_MS) {
    this.#session = session;
    this.#maxMs = maxMs;
  }

  begin(isReadOnly: boolean) {
    return this.#session.begin(isReadOnly);
  }

  commit() {
    return this.#session.commit();
  }

  rollback() {
    return this.#session.rollback();
  }

  execute(sql: string, parameters: readonly unknown[]): StatementResult | Promise<StatementResult> {
    if (this.#isTurnUsedUp()) return this.#executeInNextTurn(sql, parameters);
    this.#noteTurn();
    return this.#session.execute(sql, parameters);
  }

  close() {
    return this.#session.close();
  }

  async #executeInNextTurn(sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
    // Several statements may wait for the same turn, and the first of them may use it up.
    while (this.#isTurnUsedUp()) await nextTurn();
    this.#noteTurn();
    return this.#session.execute(sql, parameters);
  }

  #isTurnUsedUp(): boolean {
    return this.#beganAt !== undefined && performance.now() - this.#beganAt >= this.#maxMs;
  }

  #noteTurn(): void {
    if (this.#beganAt !== undefined) return;
    this.#beganAt = performance.now();
    // Runs before the callers that wait for the next turn.
    setImmediate(() => {
      this.#beganAt = undefined;
    });
  }
}
