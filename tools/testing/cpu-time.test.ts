// tier: default
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { readCpuSeconds, readCpuTimes } from './cpu-time.ts';
import { inFull } from './tiers.ts';

const skip = inFull.skip || (existsSync('/proc/self/stat') ? false : 'There is no /proc.');
/** Takes half a second of processor time, reports that, and waits for its input to end. */
const BUSY = `
  while (process.cpuUsage().user < 500_000) for (let i = 0; i < 1_000_000; i += 1);
  process.stdout.write('done');
  process.stdin.resume();
`;

test('the time of running and ended children counts', { skip }, async () => {
  const before = readCpuSeconds(process.pid);
  spawnSync(process.execPath, ['-e', BUSY], { input: '' });
  const afterFirst = readCpuSeconds(process.pid);
  assert.ok(afterFirst - before > 0.4, `${afterFirst - before} s`);

  const second = spawn(process.execPath, ['-e', BUSY], { stdio: ['pipe', 'pipe', 'ignore'] });
  await once(second.stdout, 'data');
  const afterSecond = readCpuSeconds(process.pid);
  assert.ok(afterSecond - afterFirst > 0.4, `${afterSecond - afterFirst} s`);
  const [program] = readCpuTimes(process.pid).byProgram;
  assert.ok(program !== undefined && program[1] > 0.4, `${program}`);
  second.stdin.end();
  await once(second, 'close');
});

test('a process that does not exist counts as zero', () => {
  const noPid = 2 ** 30;
  assert.equal(readCpuSeconds(noPid), 0);
  assert.equal(readCpuTimes(noPid).byProgram.size, 0);
});
