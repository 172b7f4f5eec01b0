import { setTimeout as sleep } from 'node:timers/promises';
import type { Case } from '../report/figure.ts';
import { readProportionalBytes } from '../report/memory.ts';

const REST_MS = 3_000;
const MEGABYTE = 1_000_000;

/** Measures a freshly started service: the time of the start, and its memory once it is idle. */
export const idle: Case = {
  name: 'idle',
  measure: async (stage) => {
    const memory: number[] = [];
    const starts: number[] = [];
    for (let run = 0; run < stage.scale.runs; run += 1) {
      await stage.withNewService(async (program) => {
        starts.push(program.startMs);
        await sleep(REST_MS);
        memory.push(readProportionalBytes(program.pid) / MEGABYTE);
      });
    }
    return [
      { name: 'idle memory', unit: 'MB', runs: memory },
      { name: 'process start to listening', unit: 'ms', runs: starts },
    ];
  },
};
