import { randomBytes } from 'node:crypto';
import { EventListeners, TIMED } from '../../load/event-listeners.ts';
import { HttpConnection } from '../../load/http-connection.ts';
import { requireStatus, runLoad } from '../../load/load.ts';
import { getRequest, jsonRequest, uploadRequest } from '../../load/requests.ts';
import { type Case, type Figure, type Run, repeat } from '../../report/figure.ts';
import { median } from '../../report/median.ts';
import { readProportionalBytes, withCpu } from '../../report/memory.ts';
import { readNumber, type Service } from '../../service.ts';
import type { Stage } from '../../stage.ts';

const CONNECTIONS = 16;
/** In the directory of each account, and on its page. */
const FILES = 100;
const CONTENT_BYTES = 4_096;
const MEGABYTE = 1_000_000;
const NAMES = ['1 account', '10 accounts', '100 accounts'] as const;

interface Account {
  readonly token: string;
  /** One of its files. */
  readonly fileId: number;
}

/** The same load, spread over more and more accounts, and an event stream of each of them. */
export const users: Case = {
  name: 'users',
  measure: (stage) =>
    stage.withService(async (service) => {
      const { accounts: counts } = stage.scale;
      const all = await makeAccounts(stage, service, Math.max(...counts));
      const loads: Figure[] = [];
      const streams: Figure[] = [];
      let changes = 0;
      const nextChange = () => {
        changes += 1;
        return changes;
      };
      for (const [index, count] of counts.entries()) {
        const name = NAMES[index] ?? '';
        const accounts = all.slice(0, count);
        const load = await measureLoad(stage, service, accounts, name);
        const [first] = loads;
        loads.push({
          ...load,
          ...(first !== undefined && { bareRuns: first.runs, bareCpuMs: first.cpuMs ?? [] }),
        });
        streams.push(...(await measureStreams(stage, service, { accounts, name, nextChange })));
      }
      return [...loads, ...streams];
    }),
};

async function makeAccounts(stage: Stage, service: Service, count: number): Promise<readonly Account[]> {
  stage.say(`making ${count} accounts`);
  const accounts: Account[] = [];
  for (const token of await service.signUpMore(count)) {
    for (const path of ['/files', TIMED]) {
      await service.call(jsonRequest('POST', '/api/files/mkdir', { path }, token));
    }
    const uploads = Array.from({ length: FILES }, (_, index) => newFile(token, `file ${index}.bin`));
    const [first, ...others] = uploads;
    if (first === undefined) throw new Error('An account needs files.');
    const fileId = readNumber(await service.call(first), 'id');
    await service.callAll(others);
    accounts.push({ token, fileId });
  }
  return accounts;
}

function newFile(token: string, filename: string): Buffer {
  return uploadRequest({ directory: '/files', filename, token }, randomBytes(CONTENT_BYTES));
}

/** Sends a page, an upload and a download for each account in turn. */
async function measureLoad(
  stage: Stage,
  service: Service,
  accounts: readonly Account[],
  name: string,
): Promise<Figure> {
  let uploads = 0;
  const next = (seconds: number) => {
    const end = performance.now() + seconds * 1_000;
    let index = 0;
    return (): Buffer | undefined => {
      const { token, fileId } = accounts[Math.floor(index / 3) % accounts.length] ?? { token: '', fileId: 0 };
      const kind = index % 3;
      index += 1;
      if (performance.now() >= end) return undefined;
      if (kind === 0) return getRequest(`/api/files/list?path=/files&size=${FILES}`, token);
      if (kind === 1) return getRequest(`/api/files/download/${fileId}`, token);
      uploads += 1;
      return newFile(token, `new ${name} ${uploads}.bin`);
    };
  };
  const run = (seconds: number): Promise<Run> =>
    withCpu(service.pid, async () => {
      const load = { port: service.port, connections: CONNECTIONS, next: next(seconds) };
      const result = await runLoad(load);
      return { value: result.answers / result.seconds, operations: result.answers };
    });
  await run(stage.scale.seconds / 3);
  const cpuMs: number[] = [];
  const runs = await repeat(stage.scale.runs, async () => {
    const measured = await run(stage.scale.seconds);
    cpuMs.push(measured.cpuMs);
    return measured.value;
  });
  return { name: `pages, uploads and downloads, ${name}`, unit: 'requests/s', runs, cpuMs };
}

/** Each account has a stream, and makes one change after another. */
async function measureStreams(
  stage: Stage,
  service: Service,
  { accounts, name, nextChange }: { accounts: readonly Account[]; name: string; nextChange: () => number },
): Promise<readonly Figure[]> {
  const { port, pid } = service;
  const connection = await HttpConnection.open(port);
  const opened: EventListeners[] = [];
  try {
    for (const { token } of accounts) {
      opened.push(await EventListeners.open(port, { count: 1, looking: 1, token }));
    }
    const runs = await repeat(stage.scale.runs, async () => {
      const delays: number[] = [];
      for (let turn = 0; turn < Math.max(stage.scale.repeats, accounts.length); turn += 1) {
        const at = turn % accounts.length;
        const [account, listeners] = [accounts[at], opened[at]];
        if (account === undefined || listeners === undefined) throw new Error('There is no such account.');
        const number = nextChange();
        const path = `${TIMED}/${number}`;
        const request = jsonRequest('POST', '/api/files/mkdir', { path }, account.token);
        const known = listeners.delays.length;
        listeners.expect(number);
        requireStatus(await connection.exchange(request), 200, request);
        await listeners.received(known + 1);
        delays.push(listeners.delays.at(-1) ?? Number.NaN);
      }
      return median(delays);
    });
    const memory = readProportionalBytes(pid) / MEGABYTE;
    return [
      { name: `event to the stream of its account, ${name}`, unit: 'ms', runs },
      { name: `memory with a stream for each, ${name}`, unit: 'MB', runs: [memory] },
    ];
  } finally {
    connection.close();
    for (const listeners of opened) listeners.close();
  }
}
