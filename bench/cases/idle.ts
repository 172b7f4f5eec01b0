import { setTimeout as sleep } from 'node:timers/promises';
import { type Case, repeat } from '../figure.ts';
import { readMemoryBytes } from '../memory.ts';

const REST_MS = 3_000;
const MEGABYTE = 1_000_000;

export const idle: Case = {
  name: 'idle',
  measure: async (stage) => {
    const runs = await repeat(stage.scale.runs, () =>
      stage.withNewService(async (program) => {
        await sleep(REST_MS);
        return readMemoryBytes(program.pid, 'VmRSS') / MEGABYTE;
      }),
    );
    return [{ name: 'idle memory', unit: 'MB', runs }];
  },
};
