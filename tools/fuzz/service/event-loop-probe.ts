// Measures how long the event loop of this process is blocked.
import { readFileSync } from 'node:fs';

/** The longest time for which a request may block the event loop. */
export const MAX_BLOCK_MS = 50;

const TICK_MS = 1;

/** Its second column is the time for which the main thread was ready to run but waited for a processor. */
const WAITED_FILE = '/proc/self/schedstat';

/** The longest turn of the event loop, in milliseconds. */
export interface LongestTurn {
  /**
   * How long other callbacks had to wait. On Linux, the time for which other programs kept the thread from
   * running is subtracted, so that a busy machine does not look like a blocked service.
   */
  readonly blockMs: number;
  /** The thread's processor time, without waits for the disk; 0 on Node.js 22. */
  readonly cpuMs: number;
}

/** A timer that should fire every millisecond. If it fires late, the event loop was blocked. */
export class EventLoopProbe {
  readonly #timer: NodeJS.Timeout;
  #last = readClocks();
  #longest: LongestTurn = { blockMs: 0, cpuMs: 0 };

  constructor() {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Begins a measurement. */
  start(): void {
    this.#tick();
    this.#longest = { blockMs: 0, cpuMs: 0 };
  }

  /** The longest turn since the start, including the current turn up to this call. */
  stop(): LongestTurn {
    this.#tick();
    return this.#longest;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = readClocks();
    const late = now.passedMs - this.#last.passedMs - TICK_MS;
    const { blockMs, cpuMs } = this.#longest;
    this.#longest = {
      blockMs: Math.max(blockMs, late - (now.waitedMs - this.#last.waitedMs)),
      cpuMs: Math.max(cpuMs, now.cpuMs - this.#last.cpuMs),
    };
    this.#last = now;
  }
}

/** Measures the turns of the event loop of this thread while `act` runs. */
export async function measureLongestTurn(act: () => Promise<unknown>): Promise<LongestTurn> {
  const probe = new EventLoopProbe();
  try {
    probe.start();
    await act();
    return probe.stop();
  } finally {
    probe.close();
  }
}

function readClocks() {
  // Missing in Node.js 22.
  const { user, system } = process.threadCpuUsage?.() ?? { user: 0, system: 0 };
  return { passedMs: performance.now(), waitedMs: readWaitedMs(), cpuMs: (user + system) / 1_000 };
}

function readWaitedMs(): number {
  try {
    return Number(readFileSync(WAITED_FILE, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
