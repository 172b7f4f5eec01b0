import { jsonRequest } from '../load/requests.ts';
import { type Case, repeat } from '../report/figure.ts';
import { median } from '../report/median.ts';
import { readNumber, readText, type Service } from '../service.ts';

/** Enough of a PNG to contain its dimensions. */
const PICTURE = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000049454e44ae426082',
  'hex',
);

/**
 * The time from the request for a task until it is seen running, and until its end is seen. The measurement
 * polls on the core of the service, so the real times are shorter.
 */
export const tasks: Case = {
  name: 'tasks',
  measure: (stage) =>
    stage.withService(async (service) => {
      const { runs, repeats } = stage.scale;
      const body = { fileId: await service.upload('/', 'a.png', PICTURE), path: '/a.png' };
      const request = jsonRequest('POST', '/api/v2/tasks/media-metadata', body, service.token);
      const timeUntil = (isSo: (status: string) => boolean) =>
        repeat(runs, async () => median(await repeat(repeats, () => timeOf(service, request, isSo))));
      await timeUntil(isOver);
      return [
        {
          name: 'task from POST to RUNNING',
          unit: 'ms',
          runs: await timeUntil((status) => status !== 'QUEUED'),
        },
        { name: 'task from POST to its end', unit: 'ms', runs: await timeUntil(isOver) },
      ];
    }),
};

/** In milliseconds. The next task is created when this one has ended. */
async function timeOf(service: Service, request: Buffer, isSo: (status: string) => boolean): Promise<number> {
  const start = performance.now();
  const id = readNumber(await service.call(request), 'id');
  await waitUntil(service, id, isSo);
  const milliseconds = performance.now() - start;
  await waitUntil(service, id, isOver);
  return milliseconds;
}

async function waitUntil(service: Service, id: number, isSo: (status: string) => boolean): Promise<void> {
  for (;;) {
    const status = readText(await service.get(`/api/v2/tasks/${id}`), 'status');
    if (isSo(status)) return;
  }
}

function isOver(status: string): boolean {
  if (status === 'FAILED') throw new Error('a task has failed');
  return status === 'COMPLETED';
}
