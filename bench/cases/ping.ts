import { inTurnFor, runLoad } from '../load/load.ts';
import { getRequest } from '../load/requests.ts';
import { type Case, inTurnWithCpu, type Run } from '../report/figure.ts';
import { withCpu } from '../report/memory.ts';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;

/** The minimum cost of a request with a token. */
export const ping: Case = {
  name: 'ping',
  measure: (stage) =>
    stage.withService((service) =>
      stage.withBare(async (bare) => {
        const request = getRequest('/api/v2/site/ping', service.token);
        await rateOf(service, request, WARM_UP_SECONDS);
        await rateOf(bare, request, WARM_UP_SECONDS);
        const rates = await inTurnWithCpu(
          stage.scale.runs,
          () => rateOf(service, request, stage.scale.seconds),
          () => rateOf(bare, request, stage.scale.seconds),
        );
        return [{ name: 'ping with a token', unit: 'requests/s', ...rates }];
      }),
    ),
};

function rateOf(
  { port, pid }: { readonly port: number; readonly pid: number },
  request: Buffer,
  seconds: number,
): Promise<Run> {
  return withCpu(pid, async () => {
    const result = await runLoad({ port, connections: CONNECTIONS, next: inTurnFor(seconds, [request]) });
    return { value: result.answers / result.seconds, operations: result.answers };
  });
}
