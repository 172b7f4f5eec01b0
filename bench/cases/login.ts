import { inTurnFor, runLoad } from '../load/load.ts';
import { getRequest, jsonRequest } from '../load/requests.ts';
import { type Case, repeat } from '../report/figure.ts';
import { PASSWORD, USERNAME } from '../service.ts';

const LOGIN_CONNECTIONS = 8;
const PING_PAUSE_MS = 10;

/** Password hashing is slow on purpose. Other requests must not wait for it. */
export const login: Case = {
  name: 'login',
  measure: (stage) =>
    stage.withService(async (service) => {
      const { port } = service;
      const { runs, seconds } = stage.scale;
      const logins = [jsonRequest('POST', '/api/auth/login', { username: USERNAME, password: PASSWORD })];
      // The pings have no token, because every login ends the previous session.
      const pings = [getRequest('/api/v2/site/ping')];
      const runLogins = () =>
        runLoad({ port, connections: LOGIN_CONNECTIONS, next: inTurnFor(seconds, logins) });
      const runPings = () =>
        runLoad({ port, connections: 1, pauseMs: PING_PAUSE_MS, next: inTurnFor(seconds, pings) });
      await runLogins();
      const pingsBeside: number[] = [];
      const rates = await repeat(runs, async () => {
        const [logged, pinged] = await Promise.all([runLogins(), runPings()]);
        pingsBeside.push(pinged.medianMs);
        return logged.answers / logged.seconds;
      });
      const pingsAlone = await repeat(runs, async () => (await runPings()).medianMs);
      return [
        { name: 'login', unit: 'logins/s', runs: rates },
        { name: 'ping while others log in', unit: 'ms', runs: pingsBeside },
        { name: 'ping while nobody logs in', unit: 'ms', runs: pingsAlone },
      ];
    }),
};
