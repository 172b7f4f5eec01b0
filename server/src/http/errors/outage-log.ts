import type { FastifyBaseLogger } from 'fastify';
import { SECOND } from '../../base/clock.ts';
import type { Failure } from '../../base/failure.ts';

/** How often the repetitions of one cause are counted in the log. */
const COUNT_EVERY_MS = 30 * SECOND;

/** Causes that are told apart at the same time; the repetitions of others are logged one by one. */
const MAX_CAUSES = 100;

/**
 * Logs failures that many requests share, such as a database out of reach: the first one of a cause with its
 * stack, and then how many requests met it. A cause that was not met for half a minute is new again.
 */
export class OutageLog {
  readonly #counts = new Map<string, { count: number; readonly timer: NodeJS.Timeout }>();
  readonly #everyMs: number;

  /** @param everyMs lets tests choose how often repetitions are counted */
  constructor(everyMs = COUNT_EVERY_MS) {
    this.#everyMs = everyMs;
  }

  warn(log: FastifyBaseLogger, requestId: string, failure: Failure): void {
    const cause = causeOf(failure);
    const known = this.#counts.get(cause);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    log.warn({ requestId, err: failure.cause ?? failure }, failure.message);
    if (this.#counts.size >= MAX_CAUSES) return;
    const timer = setInterval(() => this.#report(log, cause, failure.message), this.#everyMs).unref();
    this.#counts.set(cause, { count: 0, timer });
  }

  #report(log: FastifyBaseLogger, cause: string, message: string): void {
    const known = this.#counts.get(cause);
    if (known === undefined) return;
    if (known.count > 0) {
      log.warn({ requests: known.count, cause }, `${message} (again)`);
      known.count = 0;
      return;
    }
    clearInterval(known.timer);
    this.#counts.delete(cause);
  }
}

/** The same for all requests that met the same fault: messages of causes may name addresses and ports. */
function causeOf({ message, cause }: Failure): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const name = cause instanceof Error ? cause.name : '';
  return [message, name, code].filter((part) => part !== '').join(' ');
}
