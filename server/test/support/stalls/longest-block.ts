import { EventLoopProbe, MAX_BLOCK_MS } from '../../../../tools/fuzz/event-loop-probe.ts';

export { MAX_BLOCK_MS };

const TRIES = 3;

/**
 * The longest block of the event loop while `act` runs, in milliseconds. If it is too long, `act` runs again
 * and the shortest result counts, because the garbage collector may have caused it.
 */
export async function measureBlock(act: () => Promise<unknown>): Promise<number> {
  const probe = new EventLoopProbe();
  let shortest = Number.POSITIVE_INFINITY;
  try {
    for (let tries = 0; tries < TRIES && shortest > MAX_BLOCK_MS; tries += 1) {
      probe.start();
      await act();
      shortest = Math.min(shortest, probe.stop());
    }
    return shortest;
  } finally {
    probe.close();
  }
}
