import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_TURN_MS } from '../../base/concurrency/turns.ts';
import type { SqliteSession, StatementResult } from './session.ts';

/** A session that runs its statements synchronously. */
interface SynchronousSession extends SqliteSession {
  execute(sql: string, parameters: readonly unknown[]): StatementResult;
}

/**
 * A connection on the event loop's thread. Its results are available immediately, so awaiting a statement
 * does not let other work run. A loop of short statements would block everything else. So this session yields
 * to the event loop once its statements have taken long enough.
 */
export class TurnLimitedSession implements SqliteSession {
  readonly #session: SynchronousSession;
  readonly #maxMs: number;
  /** When the first statement of this turn began. */
  #beganAt: number | undefined;

  /** @param maxMs how long statements may take in one turn; set by tests */
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
