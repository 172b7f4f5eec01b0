// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { SECOND } from '../base/clock.ts';
import type { Leases } from '../leases/leases.ts';
import { Delivery } from './delivery.ts';

test('messages are sent a second after the commit, in no turn of a request, and together', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
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
    t.mock.timers.tick(ms);
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
