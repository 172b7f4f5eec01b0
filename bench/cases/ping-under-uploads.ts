import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpConnection } from '../load/http-connection.ts';
import { requireStatus } from '../load/load.ts';
import { getRequest, streamedUpload } from '../load/requests.ts';
import { type Case, repeat } from '../report/figure.ts';
import type { Service } from '../service.ts';

const UPLOADS = 4;
const QUIET_MS = 3_000;
const PAUSE_MS = 5;
const CHUNK = randomBytes(1024 * 1024);

/** Whether large uploads delay other requests. */
export const pingUnderUploads: Case = {
  name: 'ping-under-uploads',
  measure: (stage) =>
    stage.withService(async (service) => {
      const runs = await repeat(stage.scale.runs, async (run) => {
        const quiet = await p99Until(service, sleep(QUIET_MS));
        const names = Array.from({ length: UPLOADS }, (_, index) => `${run}-${index}.bin`);
        const busy = await p99Until(
          service,
          Promise.all(names.map((name) => upload(service, name, stage.scale.bigFileBytes))),
        );
        stage.say(`p99 ${quiet.toFixed(1)} ms quiet, ${busy.toFixed(1)} ms during uploads`);
        return busy / quiet;
      });
      return [{ name: 'p99 of a ping, during four uploads to quiet', unit: 'x', runs }];
    }),
};

async function upload(service: Service, filename: string, bytes: number): Promise<void> {
  const connection = await HttpConnection.open(service.port);
  try {
    const request = streamedUpload({ directory: '/', filename, token: service.token }, CHUNK, bytes);
    requireStatus(await connection.stream(request), 200, request.head);
  } finally {
    connection.close();
  }
}

/** Sends pings until the work has ended. Returns the time, in ms, that 99 of 100 stay below. */
async function p99Until(service: Service, work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  const connection = await HttpConnection.open(service.port);
  const request = getRequest('/api/v2/site/ping', service.token);
  const times: number[] = [];
  try {
    while (!isOver) {
      const start = performance.now();
      requireStatus(await connection.exchange(request), 200, request);
      times.push(performance.now() - start);
      await sleep(PAUSE_MS);
    }
  } finally {
    connection.close();
  }
  await work;
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
}
