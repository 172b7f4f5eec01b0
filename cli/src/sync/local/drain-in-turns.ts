import { setImmediate as turn } from 'node:timers/promises';

/** After this many directories the event loop gets a turn. */
const DIRECTORIES_PER_TURN = 200;

/**
 * Reads directories until none is waiting; `read` may add more.
 * @throws the reason of the signal
 */
export async function drainInTurns<T>(
  waiting: T[],
  read: (directory: T) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let count = 1; ; count += 1) {
    const next = waiting.pop();
    if (next === undefined) return;
    read(next);
    if (count % DIRECTORIES_PER_TURN !== 0) continue;
    await turn();
    signal.throwIfAborted();
  }
}
