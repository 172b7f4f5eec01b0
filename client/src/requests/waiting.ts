/** Waits. @throws the signal's reason as soon as it is aborted */
export function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * The delay before the next attempt, in milliseconds. It doubles from half a second to 30 seconds. Up
 * to half of it is left out at random, so that many clients do not return at the same moment.
 * @param attempt 1 after the first failure
 * @param retryAfterSeconds the delay that the service asked for, which is never shortened
 */
export function backoffMs(attempt: number, retryAfterSeconds: number | undefined): number {
  const full = Math.min(30_000, 500 * 2 ** (attempt - 1));
  const delayMs = full / 2 + (full / 2) * Math.random();
  return Math.max(delayMs, (retryAfterSeconds ?? 0) * 1_000);
}

/**
 * Waits for work until the signal is aborted. The work itself is not aborted.
 * @throws the reason of the signal
 */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
