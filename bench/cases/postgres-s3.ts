import { randomBytes } from 'node:crypto';
import { each, inTurnFor, runLoad } from '../load/load.ts';
import { getRequest, uploadRequest } from '../load/requests.ts';
import { type Case, type Figure, inTurnWithCpu, type Run } from '../report/figure.ts';
import { withCpu } from '../report/memory.ts';
import type { Service } from '../service.ts';
import type { Stage } from '../stage.ts';

const CONNECTIONS = 16;
const CONTENT_BYTES = 4_096;
const DIRECTORY_SIZE = 1_000;
const WARM_UP = -1;

/**
 * Compares the service on PostgreSQL and S3 with the service on SQLite and local disk. The processor time is
 * only that of the service, without PostgreSQL and the store. Both of these flush their writes.
 */
export const postgresAndS3: Case = {
  name: 'postgres-s3',
  measure: (stage) =>
    stage.withPostgres((databaseUrl) =>
      stage.withS3((s3) =>
        stage.withService((service) => stage.withService((partner) => compare(stage, service, partner)), {
          databaseUrl,
          s3,
        }),
      ),
    ),
};

type Measure = (service: Service, run: number) => Promise<Run>;

async function compare(stage: Stage, service: Service, partner: Service): Promise<readonly Figure[]> {
  for (const one of [service, partner]) {
    await one.makeDirectory('/page');
    await one.callAll(
      Array.from({ length: DIRECTORY_SIZE }, (_, index) => one.mkdirRequest(`/page/entry ${index}`)),
    );
    for (let run = WARM_UP; run < stage.scale.runs; run += 1) await one.makeDirectory(`/run ${run}`);
  }
  const inTurn = async (measure: Measure) => {
    await measure(service, WARM_UP);
    await measure(partner, WARM_UP);
    return inTurnWithCpu(
      stage.scale.runs,
      (run) => measure(service, run),
      (run) => measure(partner, run),
    );
  };
  const requests: Measure = (one) => getFor(stage, one, '/api/v2/site/ping');
  const pages: Measure = (one) => getFor(stage, one, '/api/files/list?path=/page&page=0&size=100');
  const uploads: Measure = (one, run) => upload(stage, one, `/run ${run}`);
  return [
    { name: 'ping, PostgreSQL and S3', unit: 'requests/s', ...(await inTurn(requests)) },
    { name: 'page of 100 out of 1,000, PostgreSQL and S3', unit: 'requests/s', ...(await inTurn(pages)) },
    { name: 'upload 4 KiB, PostgreSQL and S3', unit: 'files/s', ...(await inTurn(uploads)) },
  ];
}

function getFor(stage: Stage, { port, pid, token }: Service, path: string): Promise<Run> {
  return withCpu(pid, async () => {
    const next = inTurnFor(stage.scale.seconds, [getRequest(path, token)]);
    return toRun(await runLoad({ port, connections: CONNECTIONS, next }));
  });
}

function upload(stage: Stage, { port, pid, token }: Service, directory: string): Promise<Run> {
  const requests = Array.from({ length: stage.scale.uploads }, (_, index) =>
    uploadRequest({ directory, filename: `file ${index}.bin`, token }, randomBytes(CONTENT_BYTES)),
  );
  return withCpu(pid, async () =>
    toRun(await runLoad({ port, connections: CONNECTIONS, next: each(requests) })),
  );
}

function toRun({ answers, seconds }: { readonly answers: number; readonly seconds: number }) {
  return { value: answers / seconds, operations: answers };
}
