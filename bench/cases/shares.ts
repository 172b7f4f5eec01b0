import { randomBytes } from 'node:crypto';
import { inTurnFor, runLoad } from '../load/load.ts';
import { getRequest, jsonRequest } from '../load/requests.ts';
import { type Case, inTurn } from '../report/figure.ts';
import { readText } from '../service.ts';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;
const FILES = 64;
const CONTENT = randomBytes(4 * 1_024);

/**
 * Compares summaries and downloads of shares with the owner's own requests. The service counts each of them
 * as a view or a download.
 */
export const shares: Case = {
  name: 'shares',
  measure: (stage) =>
    stage.withService(async (service) => {
      const own: Buffer[] = [];
      const details: Buffer[] = [];
      const shared: Buffer[] = [];
      const summaries: Buffer[] = [];
      for (let index = 0; index < FILES; index += 1) {
        const fileId = await service.upload('/', `shared-${index}`, CONTENT);
        const body = { fileId, maxDownloads: 1_000_000_000 };
        const share = await service.call(jsonRequest('POST', '/api/v2/shares', body, service.token));
        const token = readText(share, 'token');
        own.push(getRequest(`/api/files/download/${fileId}`, service.token));
        details.push(getRequest(`/api/v2/files/${fileId}`, service.token));
        shared.push(getRequest(`/api/v2/shares/${token}?download`));
        summaries.push(getRequest(`/api/v2/shares/${token}`));
      }
      const rateOf = async (requests: readonly Buffer[], seconds = stage.scale.seconds) => {
        const next = inTurnFor(seconds, requests);
        const result = await runLoad({ port: service.port, connections: CONNECTIONS, next });
        return result.answers / result.seconds;
      };
      const compare = async (requests: readonly Buffer[], beside: readonly Buffer[]) => {
        await rateOf(requests, WARM_UP_SECONDS);
        await rateOf(beside, WARM_UP_SECONDS);
        return inTurn(
          stage.scale.runs,
          () => rateOf(requests),
          () => rateOf(beside),
        );
      };
      return [
        { name: 'shared download 4 KiB', unit: 'files/s', ...(await compare(shared, own)) },
        { name: 'public share summary', unit: 'requests/s', ...(await compare(summaries, details)) },
      ];
    }),
};
