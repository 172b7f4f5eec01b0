import { timeAlone } from '../load/alone.ts';
import { inTurnFor, runLoad } from '../load/load.ts';
import { getRequest } from '../load/requests.ts';
import { type Case, type Figure, repeat } from '../report/figure.ts';
import { median } from '../report/median.ts';
import { readMember, readNumber, type Service } from '../service.ts';
import type { Stage } from '../stage.ts';

const CONNECTIONS = 16;
const PAGE_SIZE = 100;

/** Listing a page must cost the same, however large the directory is. */
export const page: Case = {
  name: 'page',
  measure: (stage) =>
    stage.withService(async (service) => {
      const [small, middle, large] = stage.scale.directorySizes;
      for (const size of [small, middle, large]) await fill(stage, service, size);
      const figures = [
        ...(await measurePages(stage, service, { size: small, name: '1,000' })),
        ...(await measurePages(stage, service, { size: middle, name: '10,000' })),
        ...(await measurePages(stage, service, { size: large, name: '100,000' })),
      ];
      return [...figures, growthOf(figures), await measureLastPage(stage, service, large)];
    }),
};

async function fill(stage: Stage, service: Service, size: number): Promise<void> {
  stage.say(`making a directory of ${size.toLocaleString('en')} entries`);
  await service.makeDirectory(`/d${size}`);
  await service.callAll(newDirectories(service, size));
  const list = await service.get(pagePath(size, 0));
  const items = readMember(list, 'items');
  if (readNumber(list, 'total') !== size || !Array.isArray(items) || items.length !== PAGE_SIZE) {
    throw new Error(`the page of /d${size} is wrong: ${JSON.stringify(list).slice(0, 300)}`);
  }
}

// Created in an order that differs from the order of their names.
function* newDirectories(service: Service, size: number): Iterable<Buffer> {
  for (let index = 0; index < size; index += 1) {
    const number = (index * 7_919) % size;
    yield service.mkdirRequest(`/d${size}/entry ${String(number).padStart(6, '0')}`);
  }
}

async function measurePages(
  stage: Stage,
  service: Service,
  directory: { readonly size: number; readonly name: string },
): Promise<readonly Figure[]> {
  const requests = [getRequest(pagePath(directory.size, 0), service.token)];
  const run = (connections: number, seconds: number) =>
    runLoad({ port: service.port, connections, next: inTurnFor(seconds, requests) });
  await run(CONNECTIONS, stage.scale.seconds / 3);
  const rates = await repeat(stage.scale.runs, async () => {
    const result = await run(CONNECTIONS, stage.scale.seconds);
    return result.answers / result.seconds;
  });
  const times = await repeat(stage.scale.runs, async () => (await run(1, stage.scale.seconds / 3)).medianMs);
  return [
    { name: `page of 100 out of ${directory.name}`, unit: 'requests/s', runs: rates },
    { name: `page of 100 out of ${directory.name}, alone`, unit: 'ms', runs: times },
  ];
}

function growthOf(figures: readonly Figure[]): Figure {
  const timeOf = (name: string) => median(figures.find((figure) => figure.name === name)?.runs ?? []);
  const ratio = timeOf('page of 100 out of 1,000') / timeOf('page of 100 out of 100,000');
  return { name: 'time of a page, 100,000 to 1,000', unit: 'x', runs: [ratio] };
}

async function measureLastPage(stage: Stage, service: Service, size: number): Promise<Figure> {
  const requests = [getRequest(pagePath(size, Math.ceil(size / PAGE_SIZE) - 1), service.token)];
  const runs = await timeAlone(stage, service, requests);
  return { name: 'last page of 100,000, alone', unit: 'ms', runs };
}

function pagePath(size: number, number: number): string {
  return `/api/files/list?path=/d${size}&page=${number}&size=${PAGE_SIZE}`;
}
