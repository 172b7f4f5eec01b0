import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CASES } from './cases/cases.ts';
import { toRow, toTable } from './report.ts';

test('a row has the median, the ratio to the bare server and the verdict', () => {
  const figure = { name: 'upload 4 KiB', unit: 'files/s', runs: [30, 10, 20], bareRuns: [100, 90, 50] };
  const row = toRow('upload', figure, true);
  assert.equal(row.value, 20);
  assert.equal(row.bare, 90);
  assert.equal(row.goal, 'ratio >= 0.25');
  assert.equal(row.reached, false);
});

test('a figure at another scale is not compared with its goal', () => {
  const row = toRow('idle', { name: 'idle memory', unit: 'MB', runs: [500] }, false);
  assert.deepEqual([row.goal, row.reached], [null, null]);
});

test('the table is aligned and says which goals were reached', () => {
  const table = toTable([
    toRow('idle', { name: 'idle memory', unit: 'MB', runs: [80.25] }, true),
    toRow('login', { name: 'login', unit: 'logins/s', runs: [1_234.5] }, true),
  ]);
  assert.equal(
    table,
    [
      '| figure      | value | unit     | bare | ratio | goal            |         |',
      '| ----------- | ----: | -------- | ---: | ----: | --------------- | ------- |',
      '| idle memory |  80.3 | MB       |      |       | <= 100 MB       | reached |',
      '| login       | 1,235 | logins/s |      |       | >= 100 logins/s | reached |',
    ].join('\n'),
  );
});

test('every case has a unique name', () => {
  assert.equal(new Set(CASES.map(({ name }) => name)).size, CASES.length);
});
