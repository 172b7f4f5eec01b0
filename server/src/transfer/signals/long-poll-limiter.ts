import { Failure } from '../../base/failure.ts';

/** Of one side of a session. A page has one; the others are what it left behind, or somebody who wants to do harm. */
const MAX_PER_KEY = 4;
/** Each holds a connection and some 30 KB. */
const MAX_TOTAL = 10_000;

export interface LongPollSlot {
  /** Ends the waiting: the client has left, or newer ones need the place. */
  readonly signal: AbortSignal;
  /** Ends the waiting too, and gives the place up; more than one call is fine. */
  end(): void;
}

/** Who waits for signals on this instance. So many may that nobody, with one session or many, can use the machine up. */
export class LongPollLimiter {
  readonly #places = new Map<string, Set<AbortController>>();
  readonly #maxPerSide: number;
  readonly #maxTotal: number;
  #count = 0;

  constructor(maxPerSide = MAX_PER_KEY, maxTotal = MAX_TOTAL) {
    this.#maxPerSide = maxPerSide;
    this.#maxTotal = maxTotal;
  }

  /**
   * Takes a place. Where all of that side are taken the oldest one ends: a connection that is dead without our knowing
   * never keeps its successor out.
   * @throws Failure `too-many` when as many wait in all as may
   */
  begin(side: string, leaving: AbortSignal): LongPollSlot {
    const others = this.#places.get(side) ?? new Set();
    const [oldest] = others;
    if (oldest !== undefined && others.size >= this.#maxPerSide) this.#end(side, oldest);
    if (this.#count >= this.#maxTotal) {
      throw new Failure('too-many', 'Too many are waiting at the moment.', { retryAfterSeconds: 5 });
    }
    const place = new AbortController();
    this.#places.set(side, others.add(place));
    this.#count += 1;
    const end = () => this.#end(side, place);
    leaving.addEventListener('abort', end, { once: true });
    if (leaving.aborted) end();
    return { signal: place.signal, end };
  }

  #end(side: string, place: AbortController): void {
    const places = this.#places.get(side);
    if (!places?.delete(place)) return;
    this.#count -= 1;
    if (places.size === 0) this.#places.delete(side);
    place.abort();
  }
}
