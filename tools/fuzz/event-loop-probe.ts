// Measures how long the event loop of this process is blocked.
import { readFileSync } from 'node:fs';

/** No request may block the event loop for longer. */
export const MAX_BLOCK_MS = 50;

const TICK_MS = 5;

/** Time that the main thread was ready to run, but waited for a processor, in the second column. */
const WAITED_FILE = '/proc/self/schedstat';

/**
 * A timer that should fire every 5 ms. When it fires late, the event loop was blocked meanwhile. Time in
 * which other programs kept the thread from running is subtracted where Linux reports it, so that a loaded
 * machine does not look like a blocked service.
 */
export class EventLoopProbe {
  readonly #timer: NodeJS.Timeout;
  #lastTick = performance.now();
  #lastWaited = readWaitedMs();
  #longestMs = 0;

  constructor() {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Begins a measurement. */
  start(): void {
    this.#tick();
    this.#longestMs = 0;
  }

  /** The longest block since the start, in milliseconds. */
  stop(): number {
    this.#tick();
    return this.#longestMs;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = performance.now();
    const late = now - this.#lastTick - TICK_MS;
    const waited = readWaitedMs();
    this.#longestMs = Math.max(this.#longestMs, late - (waited - this.#lastWaited));
    this.#lastTick = now;
    this.#lastWaited = waited;
  }
}

function readWaitedMs(): number {
  try {
    return Number(readFileSync(WAITED_FILE, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
