import { TurnTaker } from '../../common/timing/turn-taker.ts';

/** How many requests about entries run at the same time. */
export const MAX_CONCURRENT = 4;

/** Entries that wait for the user take no turn. */
const turns = new TurnTaker(MAX_CONCURRENT);

/** Runs a request when its turn comes: a few at a time. */
export function inTurn<T>(request: () => Promise<T>): Promise<T> {
  return turns.run(request);
}
