import { randomBytes } from 'node:crypto';
import { each, runLoad } from '../load/load.ts';
import { uploadRequest } from '../load/requests.ts';
import { type Case, inTurnWithCpu } from '../report/figure.ts';
import { withCpu } from '../report/memory.ts';

const CONNECTIONS = 16;
const CONTENT_BYTES = 4_096;

/** Many small files, all different, one request each. */
export const upload: Case = {
  name: 'upload',
  measure: (stage) =>
    stage.withService((service) =>
      stage.withBare(async (bare) => {
        const { runs, uploads } = stage.scale;
        const rateOf = async ({ port, pid }: { port: number; pid: number }, directory: string) => {
          const requests = Array.from({ length: uploads }, (_, index) =>
            uploadRequest(
              { directory, filename: `file ${index}.bin`, token: service.token },
              randomBytes(CONTENT_BYTES),
            ),
          );
          return await withCpu(pid, async () => {
            const result = await runLoad({ port, connections: CONNECTIONS, next: each(requests) });
            return { value: result.answers / result.seconds, operations: result.answers };
          });
        };
        await service.makeDirectory('/warm-up');
        await rateOf(service, '/warm-up');
        await rateOf(bare, '/warm-up');
        for (let run = 0; run < runs; run += 1) await service.makeDirectory(`/run ${run}`);
        const rates = await inTurnWithCpu(
          runs,
          (run) => rateOf(service, `/run ${run}`),
          (run) => rateOf(bare, `/run ${run}`),
        );
        return [{ name: 'upload 4 KiB', unit: 'files/s', ...rates }];
      }),
    ),
};
