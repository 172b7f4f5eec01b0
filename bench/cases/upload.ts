import { randomBytes } from 'node:crypto';
import { type Case, inTurn } from '../figure.ts';
import { each, runLoad } from '../load.ts';
import { uploadRequest } from '../requests.ts';

const CONNECTIONS = 16;
const CONTENT_BYTES = 4_096;

/** Many small files, all different, one request each. */
export const upload: Case = {
  name: 'upload',
  measure: (stage) =>
    stage.withService((service) =>
      stage.withBare(async (bare) => {
        const { runs, uploads } = stage.scale;
        const rateOf = async (port: number, directory: string) => {
          const requests = Array.from({ length: uploads }, (_, index) =>
            uploadRequest(
              { directory, filename: `file ${index}.bin`, token: service.token },
              randomBytes(CONTENT_BYTES),
            ),
          );
          const result = await runLoad({ port, connections: CONNECTIONS, next: each(requests) });
          return result.answers / result.seconds;
        };
        await service.makeDirectory('/warm-up');
        await rateOf(service.port, '/warm-up');
        await rateOf(bare.port, '/warm-up');
        for (let run = 0; run < runs; run += 1) await service.makeDirectory(`/run ${run}`);
        const rates = await inTurn(
          runs,
          (run) => rateOf(service.port, `/run ${run}`),
          (run) => rateOf(bare.port, `/run ${run}`),
        );
        return [{ name: 'upload 4 KiB', unit: 'files/s', ...rates }];
      }),
    ),
};
