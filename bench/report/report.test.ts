// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CASES } from '../cases/cases.ts';
import { toMissedGoals, toRow, toTable } from './report.ts';

test('a row has the median, the ratio to the bare server and the verdict', () => {
  const figure = { name: 'upload 4 KiB', unit: 'files/s', runs: [30, 10, 20], bareRuns: [100, 90, 50] };
  const row = toRow('upload', figure, true);
  assert.equal(row.value, 20);
  assert.equal(row.bare, 90);
  assert.equal(row.goal, 'ratio >= 0.3');
  assert.equal(row.reached, false);
});

test('a row also compares the processor times', () => {
  const figure = {
    name: 'ping',
    unit: 'requests/s',
    runs: [1],
    bareRuns: [1],
    cpuMs: [2, 4, 9],
    bareCpuMs: [1],
  };
  const row = toRow('ping', figure, true);
  assert.deepEqual([row.cpuMs, row.cpuRatio], [4, 0.25]);
});

test('a figure measured at another scale is not compared with its goal', () => {
  const row = toRow('idle', { name: 'idle memory', unit: 'MB', runs: [500] }, false);
  assert.deepEqual([row.goal, row.reached], [null, null]);
});

test('the table is aligned and says which goals were reached', () => {
  const table = toTable([
    toRow('idle', { name: 'idle memory', unit: 'MB', runs: [79.96] }, true),
    toRow('login', { name: 'login', unit: 'logins/s', runs: [1_234.5] }, true),
  ]);
  assert.equal(
    table,
    [
      '| figure      | value | unit     | bare | ratio | CPU ms | CPU ratio | goal            |         |',
      '| ----------- | ----: | -------- | ---: | ----: | -----: | --------: | --------------- | ------- |',
      '| idle memory |  80.0 | MB       |      |       |        |           | <= 80 MB        | reached |',
      '| login       | 1,235 | logins/s |      |       |        |           | >= 100 logins/s | reached |',
    ].join('\n'),
  );
});

test('the missed goals are listed with the measured values', () => {
  const rows = [
    toRow('login', { name: 'login', unit: 'logins/s', runs: [500] }, true),
    toRow('upload', { name: 'upload 4 KiB', unit: 'files/s', runs: [20], bareRuns: [100] }, true),
  ];
  assert.equal(
    toMissedGoals(rows),
    'Missed goals:\n- upload 4 KiB: 20.0 files/s, ratio 0.20; the goal is ratio >= 0.3',
  );
  assert.match(toMissedGoals(rows.slice(0, 1)), /^Every goal/);
});

test('every case has a unique name', () => {
  assert.equal(new Set(CASES.map(({ name }) => name)).size, CASES.length);
});
