// The signals of an ONLINE session. The two sides use them before they have a line, and after it broke.
import { SerialQueue } from '../../common/serial-queue.ts';
import { wait } from '../../requests/waiting.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
const MAX_TRIES = 6;
/** For how many seconds the service waits for a signal before it returns none. */
export const WAIT_SECONDS = 25;

/** A message from the other side. */
export interface Signal {
  readonly type: string;
  readonly payload: unknown;
}

/** The calls for the signals of one side of a session. */
export interface SignalCalls {
  send(type: string, payload: unknown): Promise<unknown>;
  /** The signals after a cursor. Waits for the first one, for `WAIT_SECONDS`. */
  readAfter(
    cursor: number,
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly Signal[]; readonly nextCursor: number }>;
  /** Interprets an error of these calls. */
  judge(error: unknown): CallFault;
}

interface CallFault {
  /** Whether the session has ended, or this side is not part of it. */
  readonly isGone: boolean;
  /** Whether the same call may succeed later. */
  readonly isPassing: boolean;
  /** The delay that the service asked for. */
  readonly retryAfterSeconds?: number | undefined;
}

export class Rendezvous {
  readonly sessionId: string;
  readonly #calls: SignalCalls;
  readonly #messages = new SerialQueue();

  constructor(sessionId: string, calls: SignalCalls) {
    this.sessionId = sessionId;
    this.#calls = calls;
  }

  /**
   * Sends signals one after another, because a candidate is useless before its description. Gives up
   * silently.
   */
  sendSignal(type: string, payload: unknown = null): Promise<void> {
    return this.#messages.run(() => this.#send(type, payload));
  }

  /** Reads the other side's signals from the start, until `signal` aborts or the session ends. */
  async follow(listener: (signal: Signal) => void, signal: AbortSignal): Promise<'stopped' | 'gone'> {
    for (let after = 0, failures = 0; !signal.aborted; ) {
      try {
        const page = await this.#calls.readAfter(after, signal);
        failures = 0;
        after = page.nextCursor;
        for (const heard of page.items) if (!signal.aborted) listener(heard);
      } catch (error) {
        if (signal.aborted) break;
        const fault = this.#calls.judge(error);
        if (fault.isGone) return 'gone';
        failures += 1;
        await wait(pauseAfter(failures, fault), signal).catch(() => undefined);
      }
    }
    return 'stopped';
  }

  async #send(type: string, payload: unknown): Promise<void> {
    for (let failures = 1; failures <= MAX_TRIES; failures += 1) {
      try {
        await this.#calls.send(type, payload);
        return;
      } catch (error) {
        const fault = this.#calls.judge(error);
        if (!fault.isPassing) return;
        await wait(pauseAfter(failures, fault), undefined);
      }
    }
  }
}

function pauseAfter(failures: number, { retryAfterSeconds = 0 }: CallFault): number {
  return Math.max(
    retryAfterSeconds * 1_000,
    Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)),
  );
}
