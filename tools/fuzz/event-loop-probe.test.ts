import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventLoopProbe } from './event-loop-probe.ts';

/** Uses the processor, whatever else the machine does. */
function work(milliseconds: number): void {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user / 1_000 < milliseconds);
}

test('a block is measured, waiting is not', async () => {
  const probe = new EventLoopProbe();
  try {
    probe.start();
    await sleep(100);
    const waited = probe.stop();
    probe.start();
    work(80);
    const blocked = probe.stop();
    assert.ok(blocked >= 60, `${blocked} ms after work of 80 ms`);
    assert.ok(waited < blocked, `${waited} ms while nothing ran`);
  } finally {
    probe.close();
  }
});
