import { Failure } from '../../base/failure.ts';

/** Polls per side of a session. A page needs one. More of them are abandoned connections, or an attack. */
const MAX_PER_SIDE = 4;
/** Each poll needs a connection and about 30 KB. */
const MAX_TOTAL = 10_000;

interface LongPollSlot {
  /** Aborted when the poll must end: its client has disconnected, or a newer poll of its side replaces it. */
  readonly signal: AbortSignal;
  /** Returns the slot and aborts the signal. May be called more than once. */
  release(): void;
}

/**
 * Limits the long polls on this instance, per side of a session and in total, so that they cannot overload
 * the machine.
 */
export class LongPollLimiter {
  readonly #polls = new Map<string, Set<AbortController>>();
  readonly #maxPerSide: number;
  readonly #maxTotal: number;
  #count = 0;

  constructor(maxPerSide = MAX_PER_SIDE, maxTotal = MAX_TOTAL) {
    this.#maxPerSide = maxPerSide;
    this.#maxTotal = maxTotal;
  }

  /**
   * Acquires a slot for a poll. If the side has no slot left, its oldest poll ends. So a dead connection that
   * has not been detected never blocks its successor.
   * @param disconnected aborted when the client disconnects
   * @throws Failure `too-many` when the total is reached
   */
  acquire(side: string, disconnected: AbortSignal): LongPollSlot {
    const others = this.#polls.get(side) ?? new Set();
    const [oldest] = others;
    if (oldest !== undefined && others.size >= this.#maxPerSide) this.#release(side, oldest);
    if (this.#count >= this.#maxTotal) {
      throw new Failure('too-many', 'Too many clients are waiting at the moment.', { retryAfterSeconds: 5 });
    }
    const poll = new AbortController();
    this.#polls.set(side, others.add(poll));
    this.#count += 1;
    const release = () => this.#release(side, poll);
    disconnected.addEventListener('abort', release, { once: true });
    if (disconnected.aborted) release();
    return { signal: poll.signal, release };
  }

  #release(side: string, poll: AbortController): void {
    const polls = this.#polls.get(side);
    if (!polls?.delete(poll)) return;
    this.#count -= 1;
    if (polls.size === 0) this.#polls.delete(side);
    poll.abort();
  }
}
