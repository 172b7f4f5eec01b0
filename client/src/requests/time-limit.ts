import { TimeoutError } from '../errors/errors.ts';

/** A limit for one attempt, joined with the signal of the caller. */
export class TimeLimit {
  /** Aborted by the caller, or with a `TimeoutError` when the time is over. */
  readonly signal: AbortSignal;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param timeoutMs milliseconds; 0 is no limit */
  constructor(timeoutMs: number, signal: AbortSignal | undefined, what: string) {
    const controller = new AbortController();
    const signals = signal === undefined ? [controller.signal] : [signal, controller.signal];
    this.signal = AbortSignal.any(signals);
    if (timeoutMs > 0) {
      const end = () => controller.abort(new TimeoutError(`${what} took more than ${timeoutMs / 1_000} s.`));
      this.#timer = setTimeout(end, timeoutMs);
    }
  }

  /** Ends the limit. The signal of the caller still counts. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
