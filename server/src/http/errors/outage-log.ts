import type { FastifyBaseLogger } from 'fastify';
import { SECOND } from '../../base/clock.ts';
import type { Failure } from '../../base/failure.ts';

/** How often the log gets the number of repetitions of one cause. */
const COUNT_EVERY_MS = 30 * SECOND;

/**
 * The maximum number of causes whose repetitions are counted. Those of other causes are logged one by one.
 */
const MAX_CAUSES = 100;

/**
 * Logs failures that many requests share, such as an unreachable database. The first failure of a cause is
 * logged with its stack, later ones only as a number of requests. A cause that has not occurred for half a
 * minute counts as new.
 */
export class OutageLog {
  readonly #counts = new Map<string, { count: number; readonly timer: NodeJS.Timeout }>();
  readonly #everyMs: number;

  /** @param everyMs how often repetitions are logged; only tests set it */
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

/**
 * A key that is the same for all requests with the same fault. The cause's message is not part of it, because
 * it may contain addresses and ports.
 */
function causeOf({ message, cause }: Failure): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const name = cause instanceof Error ? cause.name : '';
  return [message, name, code].filter((part) => part !== '').join(' ');
}
