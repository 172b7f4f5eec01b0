/** More than this many attempts under one key at once are no hurry of people; who comes then is sent away. */
const MOST_WAITING = 50;
/** Places that other instances free are not announced here, so now and then the first of a line looks. */
const LOOK_MS = 250;

interface Waiter {
  readonly call: () => void;
}

interface Line {
  readonly waiting: Waiter[];
  readonly timer: NodeJS.Timeout;
}

/** Who waits for a place under a key, in the order of coming. In memory: waiting costs the database nothing. */
export class AttemptQueues {
  readonly #lines = new Map<string, Line>();

  hasWaiting(key: string): boolean {
    return this.#lines.has(key);
  }

  /**
   * Resolves with true when it is this one's turn to try, with false when the line is full or the signal ends.
   * @param again whoever tried in vain goes back to the front
   */
  wait(key: string, late: AbortSignal, again: boolean): Promise<boolean> {
    const line = this.#lines.get(key) ?? this.#open(key);
    if (late.aborted || (!again && line.waiting.length >= MOST_WAITING)) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const giveUp = () => {
      this.#leave(key, waiter);
      resolve(false);
    };
    const waiter = {
      call: () => {
        late.removeEventListener('abort', giveUp);
        resolve(true);
      },
    };
    late.addEventListener('abort', giveUp, { once: true });
    if (again) line.waiting.unshift(waiter);
    else line.waiting.push(waiter);
    return promise;
  }

  /** Lets the first of the line try: a place may have become free. */
  wakeNext(key: string): void {
    const first = this.#lines.get(key)?.waiting[0];
    if (first === undefined) return;
    this.#leave(key, first);
    first.call();
  }

  #open(key: string): Line {
    const line = { waiting: [], timer: setInterval(() => this.wakeNext(key), LOOK_MS) };
    this.#lines.set(key, line);
    return line;
  }

  #leave(key: string, waiter: Waiter): void {
    const line = this.#lines.get(key);
    const place = line?.waiting.indexOf(waiter) ?? -1;
    if (line === undefined || place === -1) return;
    line.waiting.splice(place, 1);
    if (line.waiting.length > 0) return;
    clearInterval(line.timer);
    this.#lines.delete(key);
  }
}
