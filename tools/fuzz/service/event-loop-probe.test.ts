// tier: full
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventLoopProbe } from './event-loop-probe.ts';

/** Uses this much processor time, whatever else the machine does. */
function work(milliseconds: number): void {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user / 1_000 < milliseconds);
}

test('blocking is measured, waiting is not', async () => {
  const probe = new EventLoopProbe();
  try {
    probe.start();
    await sleep(100);
    const waited = probe.stop();
    probe.start();
    work(80);
    const blocked = probe.stop();
    for (const kind of ['blockMs', 'cpuMs'] as const) {
      assert.ok(blocked[kind] >= 60, `${kind}: ${blocked[kind]} ms after work of 80 ms`);
      assert.ok(waited[kind] < blocked[kind], `${kind}: ${waited[kind]} ms while nothing ran`);
    }
  } finally {
    probe.close();
  }
});
