import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../../tools/engines/postgres/postgres.ts';
import { EventListeners, TIMED } from '../load/event-listeners.ts';
import { HttpConnection } from '../load/http-connection.ts';
import { requireStatus } from '../load/load.ts';
import { jsonRequest } from '../load/requests.ts';
import { type Case, inTurn, repeat } from '../report/figure.ts';
import { median } from '../report/median.ts';
import { readCpuSeconds, readMemoryBytes } from '../report/memory.ts';
import type { Service } from '../service.ts';

const PEER = path.join(import.meta.dirname, '..', 'peers', 'sse-peer.ts');
const MEGABYTE = 1_000_000;
const FEW = 100;
const REST_MS = 20;
const EVENTS_A_SECOND = 100;
/** The number of listeners whose events are timed when there are a thousand. */
const LOOKING = 20;

/**
 * From the request that causes an event to its arrival at each of 100 streams, beside the minimum for Node.
 */
export const fanOut: Case = {
  name: 'fan-out',
  measure: (stage) =>
    stage.withService((service) =>
      stage.withPeer(PEER, async (peer) => {
        await service.makeDirectory(TIMED);
        const numbers = countUp();
        const delayOf = (port: number, token: string | undefined) =>
          withListeners({ port, token, count: FEW, looking: FEW }, async (listeners) => {
            await causeEvents(port, token, listeners, {
              numbers,
              events: stage.scale.repeats,
              pauseMs: REST_MS,
            });
            await listeners.received(stage.scale.repeats * FEW);
            return median(listeners.delays);
          });
        await delayOf(service.port, service.token);
        await delayOf(Number(peer.url.port), undefined);
        const delays = await inTurn(
          stage.scale.runs,
          () => delayOf(service.port, service.token),
          () => delayOf(Number(peer.url.port), undefined),
        );
        return [{ name: 'event to 100 streams', unit: 'ms', ...delays }];
      }),
    ),
};

/** A thousand streams of one drive with 100 changes per second: each event is written a thousand times. */
export const manyStreams: Case = {
  name: 'streams',
  measure: (stage) =>
    stage.withService(async (service) => {
      const { port, token, pid } = service;
      const { streams: count, runs, seconds } = stage.scale;
      await service.makeDirectory(TIMED);
      const numbers = countUp();

      return await withListeners(
        { port, token, count, looking: Math.min(LOOKING, count) },
        async (listeners) => {
          const events = Math.round(EVENTS_A_SECOND * seconds);
          const run = async () => {
            listeners.delays.length = 0;
            const cpuBefore = readCpuSeconds(pid);
            await causeEvents(port, token, listeners, { numbers, events, pauseMs: 1_000 / EVENTS_A_SECOND });
            await listeners.received(events * Math.min(LOOKING, count));
            return {
              delay: median(listeners.delays),
              cpu: ((readCpuSeconds(pid) - cpuBefore) / events) * 1_000,
            };
          };
          await run();
          const measured = [];
          for (let turn = 0; turn < runs; turn += 1) measured.push(await run());
          const memory = readMemoryBytes(pid, 'VmRSS') / MEGABYTE;
          return [
            { name: 'event to 1,000 streams', unit: 'ms', runs: measured.map(({ delay }) => delay) },
            { name: 'CPU of an event to 1,000 streams', unit: 'ms', runs: measured.map(({ cpu }) => cpu) },
            { name: 'memory with 1,000 streams', unit: 'MB', runs: [memory] },
          ];
        },
      );
    }),
};

/** From a request at one instance to a stream at another, over a PostgreSQL that flushes as in production. */
export const acrossInstances: Case = {
  name: 'across',
  measure: async (stage) => {
    const postgres = await startPostgres({ fsync: true });
    try {
      const shared = { HOLDALL_DATABASE_URL: postgres.url };
      return await stage.withService(
        (service: Service) =>
          stage.withNewService(
            async (other) => {
              await service.makeDirectory(TIMED);
              const numbers = countUp();
              const place = { port: Number(other.url.port), token: service.token, count: 10, looking: 10 };
              const runs = await repeat(stage.scale.runs, () =>
                withListeners(place, async (listeners) => {
                  const events = stage.scale.repeats;
                  await causeEvents(service.port, service.token, listeners, {
                    numbers,
                    events,
                    pauseMs: REST_MS,
                  });
                  await listeners.received(events * place.looking);
                  return median(listeners.delays);
                }),
              );
              return [{ name: 'event to a stream at another instance', unit: 'ms', runs }];
            },
            { environment: { ...shared, HOLDALL_DATA_DIR: service.dataDir } },
          ),
        { environment: shared },
      );
    } finally {
      await postgres.stop();
    }
  },
};

async function withListeners<T>(
  { port, ...rest }: { port: number; token: string | undefined; count: number; looking: number },
  use: (listeners: EventListeners) => Promise<T>,
): Promise<T> {
  const listeners = await EventListeners.open(port, rest);
  try {
    return await use(listeners);
  } finally {
    listeners.close();
  }
}

/** Creates directories one after another, at the given rate if possible. */
async function causeEvents(
  port: number,
  token: string | undefined,
  listeners: EventListeners,
  { numbers, events, pauseMs }: { numbers: () => number; events: number; pauseMs: number },
): Promise<void> {
  const connection = await HttpConnection.open(port);
  try {
    const start = performance.now();
    for (let event = 0; event < events; event += 1) {
      const number = numbers();
      const request = jsonRequest('POST', '/api/files/mkdir', { path: `${TIMED}/${number}` }, token);
      listeners.expect(number);
      requireStatus(await connection.exchange(request), 200, request);
      await sleep(Math.max(0, start + (event + 1) * pauseMs - performance.now()));
    }
  } finally {
    connection.close();
  }
}

function countUp(): () => number {
  let number = 0;
  return () => {
    number += 1;
    return number;
  };
}
