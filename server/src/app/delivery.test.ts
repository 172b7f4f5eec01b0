// tier: default
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { SECOND } from '../base/clock.ts';
import type { Leases } from '../leases/leases.ts';
import { Delivery } from './delivery.ts';

test('messages are sent a second after the commit, in no turn of a request, and together', async (t) => {
  const advance = mockTimeouts(t);
  let runs = 0;
  let notify = () => {};
  const leases: Pick<Leases, 'runExclusively'> = {
    runExclusively: async (_name, leaseMs, work) => {
      assert.equal(leaseMs, 5 * SECOND, 'another instance soon takes over');
      await work();
      return true;
    },
  };
  const delivery = new Delivery({
    name: 'send messages',
    queue: {
      hasDue: async () => false,
      sendDue: async () => {
        runs += 1;
      },
    },
    onQueued: (listener) => {
      notify = listener;
    },
    leases: leases as Leases,
    logger: pino({ level: 'silent' }),
  });
  const runsAfter = async (ms: number) => {
    advance(ms);
    await setImmediate();
    return runs;
  };

  notify();
  assert.equal(await runsAfter(1_000), 0, 'not before the start');
  delivery.start();
  notify();
  assert.equal(await runsAfter(999), 0);
  notify();
  assert.equal(await runsAfter(1), 1);
  assert.equal(await runsAfter(1_000), 1, 'one run for both');
  notify();
  assert.equal(await runsAfter(1_000), 2);
  notify();
  await delivery.stop();
  assert.equal(await runsAfter(1_000), 2, 'not after the end');
});

/**
 * Replaces timeouts, and intervals by ones that never come. Not `mock.timers`: its `tick` left out a timeout that
 * was due in a few of many runs (Node 24.21).
 * @returns a function that lets time pass
 */
function mockTimeouts({ mock }: TestContext): (ms: number) => void {
  let now = 0;
  const waiting = new Map<object, { readonly at: number; readonly callback: () => void }>();
  const newTimer = () => {
    const timer = { unref: () => timer };
    return timer;
  };
  const start = (callback: () => void, ms: number) => {
    const timer = newTimer();
    waiting.set(timer, { at: now + ms, callback });
    return timer;
  };
  mock.method(globalThis, 'setTimeout', start as unknown as typeof setTimeout);
  mock.method(globalThis, 'clearTimeout', (timer: object) => void waiting.delete(timer));
  mock.method(globalThis, 'setInterval', newTimer as unknown as typeof setInterval);
  mock.method(globalThis, 'clearInterval', () => undefined);
  return (ms) => {
    now += ms;
    for (const [timer, { at, callback }] of waiting) {
      if (at > now) continue;
      waiting.delete(timer);
      callback();
    }
  };
}
