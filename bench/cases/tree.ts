import { randomBytes } from 'node:crypto';
import { deleteRequest, jsonRequest, uploadRequest } from '../load/requests.ts';
import { type Case, repeat } from '../report/figure.ts';
import { median } from '../report/median.ts';
import { readNumber, type Service } from '../service.ts';

const CHILDREN = 100;

/** Moving a directory must not cost more for a larger content. */
export const move: Case = {
  name: 'move',
  measure: (stage) =>
    stage.withService(async (service) => {
      stage.say('making a tree to move');
      const id = await service.makeDirectory('/here/tree');
      await service.makeDirectory('/there');
      await makeTree(service, '/here/tree', stage.scale.movedDescendants);
      const moveTo = (path: string) =>
        timeOf(service, jsonRequest('PATCH', `/api/files/${id}/move`, { path }, service.token));
      const runs = await repeat(stage.scale.runs, async () => {
        const times: number[] = [];
        for (let index = 0; index < stage.scale.repeats * 5; index += 1) {
          times.push((await moveTo('/there')).ms, (await moveTo('/here')).ms);
        }
        return median(times);
      });
      return [{ name: 'move of 10,000 descendants', unit: 'ms', runs }];
    }),
};

export const copy: Case = {
  name: 'copy',
  measure: (stage) =>
    stage.withService(async (service) => {
      stage.say('uploading a directory to copy');
      const id = await service.makeDirectory('/album');
      await service.callAll(smallFiles(service, '/album', stage.scale.copiedFiles));
      const copies: number[] = [];
      const deletions: number[] = [];
      for (let run = 0; run < stage.scale.runs; run += 1) {
        const copyTimes: number[] = [];
        const deleteTimes: number[] = [];
        for (let index = 0; index < stage.scale.repeats; index += 1) {
          const path = `/copy ${run} ${index}`;
          await service.makeDirectory(path);
          const copied = await timeOf(
            service,
            jsonRequest('POST', `/api/files/${id}/copy`, { path }, service.token),
          );
          const copyId = readNumber(copied.record, 'id');
          const deleted = await timeOf(service, deleteRequest(`/api/files/${copyId}`, service.token));
          copyTimes.push(copied.ms);
          deleteTimes.push(deleted.ms);
        }
        copies.push(median(copyTimes));
        deletions.push(median(deleteTimes));
      }
      return [
        { name: 'copy of 2,000 files', unit: 'ms', runs: copies },
        { name: 'delete of 2,000 files', unit: 'ms', runs: deletions },
      ];
    }),
};

/** Requests that upload files of 4 KiB, all different. */
export function* smallFiles(service: Service, directory: string, count: number): Iterable<Buffer> {
  for (let index = 0; index < count; index += 1) {
    const target = { directory, filename: `file ${index}.bin`, token: service.token };
    yield uploadRequest(target, randomBytes(4_096));
  }
}

async function makeTree(service: Service, root: string, descendants: number): Promise<void> {
  const branches = Math.ceil(descendants / CHILDREN);
  const inner = Array.from({ length: branches }, (_, branch) => `${root}/branch ${branch}`);
  const leaves = Array.from(
    { length: descendants - branches },
    (_, leaf) => `${root}/branch ${leaf % branches}/leaf ${leaf}`,
  );
  await service.callAll(inner.map((path) => service.mkdirRequest(path)));
  await service.callAll(leaves.map((path) => service.mkdirRequest(path)));
}

async function timeOf(service: Service, request: Buffer): Promise<{ ms: number; record: unknown }> {
  const start = performance.now();
  const record = await service.call(request);
  return { ms: performance.now() - start, record };
}
