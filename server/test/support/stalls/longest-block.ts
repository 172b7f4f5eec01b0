import { MAX_BLOCK_MS, measureLongestTurn } from '../../../../tools/fuzz/service/event-loop-probe.ts';

export { MAX_BLOCK_MS };

const TRIES = 5;

/**
 * The longest block of the event loop while `act` runs, in milliseconds. If it is too long, `act` runs again
 * and the shortest result counts, because the garbage collector, or a computer that pauses, may have caused it.
 * @param measure for an event loop of another process
 */
export async function measureBlock(
  act: () => Promise<unknown>,
  measure: (act: () => Promise<unknown>) => Promise<number> = measureHere,
): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && shortest > MAX_BLOCK_MS; tries += 1) {
    shortest = Math.min(shortest, await measure(act));
  }
  return shortest;
}

async function measureHere(act: () => Promise<unknown>): Promise<number> {
  return (await measureLongestTurn(act)).blockMs;
}
