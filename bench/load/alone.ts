import { repeat } from '../report/figure.ts';
import type { Service } from '../service.ts';
import type { Stage } from '../stage.ts';
import { inTurnFor, runLoad } from './load.ts';

/** The median time of a request that runs alone, in milliseconds, for each run. */
export function timeAlone(
  { scale }: Stage,
  { port }: Service,
  requests: readonly Buffer[],
): Promise<number[]> {
  return repeat(scale.runs, async () => {
    const next = inTurnFor(scale.seconds / 3, requests);
    return (await runLoad({ port, connections: 1, next })).medianMs;
  });
}
