import { type Case, inTurn, repeat } from '../figure.ts';
import { inTurnFor, runLoad } from '../load.ts';
import { getRequest } from '../requests.ts';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;

/** The minimum cost of a request with a token. */
export const ping: Case = {
  name: 'ping',
  measure: (stage) =>
    stage.withService((service) =>
      stage.withBare(async (bare) => {
        const request = getRequest('/api/v2/site/ping', service.token);
        await rateOf(service.port, request, WARM_UP_SECONDS);
        await rateOf(bare.port, request, WARM_UP_SECONDS);
        const rates = await inTurn(
          stage.scale.runs,
          () => rateOf(service.port, request, stage.scale.seconds),
          () => rateOf(bare.port, request, stage.scale.seconds),
        );
        return [{ name: 'ping with a token', unit: 'requests/s', ...rates }];
      }),
    ),
};

/** The minimum that a login costs a request: token, session and account are checked. */
export const profile: Case = {
  name: 'profile',
  measure: (stage) =>
    stage.withService(async (service) => {
      const request = getRequest('/api/user/profile', service.token);
      await rateOf(service.port, request, WARM_UP_SECONDS);
      const runs = await repeat(stage.scale.runs, () => rateOf(service.port, request, stage.scale.seconds));
      return [{ name: 'profile', unit: 'requests/s', runs }];
    }),
};

async function rateOf(port: number, request: Buffer, seconds: number): Promise<number> {
  const result = await runLoad({ port, connections: CONNECTIONS, next: inTurnFor(seconds, [request]) });
  return result.answers / result.seconds;
}
