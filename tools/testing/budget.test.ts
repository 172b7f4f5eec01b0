// tier: default
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { describeBudget, readFullRun, writeFullRun } from './budget.ts';

const directory = await mkdtemp(path.join(tmpdir(), 'holdall-budget-'));
after(() => rm(directory, { recursive: true, force: true }));

test('the budget is a share of the last full run on this machine', () => {
  assert.equal(
    describeBudget(900, { endedAt: '2026-11-27T21:54:50.000Z', cpuSeconds: 2_400 }),
    'Processor time: 900 s, 0.38 of the full run of 2026-11-27 21:54 UTC (2400 s); the budget is 0.38 (912 s).\n',
  );
});

test('without a record of a full run, only the time is shown', () => {
  const text = 'Processor time: 900 s; no full run is recorded on this machine to compare it with.\n';
  assert.equal(describeBudget(900, undefined), text);
  assert.equal(readFullRun(path.join(directory, 'none.json')), undefined);
});

test('the record of a full run is read again, and a damaged one is ignored', async () => {
  const file = path.join(directory, 'cache', 'full.json');
  const run = { endedAt: '2026-11-27T21:54:50.000Z', cpuSeconds: 2_400 };
  writeFullRun(run, file);
  assert.deepEqual(readFullRun(file), run);
  await writeFile(file, '{');
  assert.equal(readFullRun(file), undefined);
});
