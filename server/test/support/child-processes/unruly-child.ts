// A program for child processes that does what the file says, and then sends the file back.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { serveFiles } from '../../../src/child-processes/child-side.ts';

const ECHO = 1;
const INVALID = 255;

const ACTIONS: Readonly<Record<string, () => unknown>> = {
  crash: () => process.exit(1),
  abort: () => process.abort(),
  wait: () => new Promise(() => undefined),
  talk: () => setImmediate(() => process.stdout.write('and another thing')),
  compute: async () => {
    for (let sum = 1; sum > 0; await nextTurn()) {
      for (let count = 0; count < 100_000; count += 1) sum = (sum * 16_807) % 2_147_483_647;
    }
  },
  fill: async () => {
    for (const kept: Buffer[] = []; kept.length >= 0; await nextTurn()) {
      kept.push(Buffer.alloc(16 * 1_024 ** 2, 1));
    }
  },
};

await serveFiles({
  processorMs: 500,
  giveUp: () => ({ outcome: ECHO, body: Buffer.from('gave up') }),
  work: async ({ file }) => {
    const wish = file.toString();
    await ACTIONS[wish]?.();
    return { outcome: wish === 'lie' ? INVALID : ECHO, body: file };
  },
});
