// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeCostliest,
  describeFlakes,
  describeParts,
  describePrograms,
  type JobOutcome,
  listFiles,
} from './report.ts';

const outcome = (file: string, engine: 'sqlite' | undefined, cpuSeconds: number, failed = 0): JobOutcome => ({
  job: { file, engine, needs: [] },
  seconds: cpuSeconds * 2,
  cpuSeconds,
  passed: 2,
  failed,
  skipped: failed,
  failures: Array.from({ length: failed }, () => ({ test: `${file} › goes wrong`, reason: 'a reason' })),
  output: failed === 0 ? '' : 'some output',
});

test('each kind of engine has a line with its counts', () => {
  const text = describeParts([
    outcome('a', 'sqlite', 0.5),
    outcome('b', undefined, 1, 1),
    outcome('c', 'sqlite', 1.5),
  ]);
  assert.equal(
    text,
    '✔ on SQLite and local disk: 4 passed, 0 failed (2 files, 4.0 s, 2.0 s CPU)\n' +
      '✖ without a database: 2 passed, 1 failed, 1 SKIPPED (1 files, 2.0 s, 1.0 s CPU)\n',
  );
});

test('the costliest files are listed, except those under a second', () => {
  const text = describeCostliest([
    outcome('a', 'sqlite', 1.24),
    outcome('b', undefined, 30),
    outcome('c', undefined, 0.2),
  ]);
  assert.equal(
    text,
    'The costliest files:\n' +
      '   30.0 s CPU    60.0 s  b without a database\n' +
      '    1.2 s CPU     2.5 s  a on SQLite and local disk\n',
  );
  assert.equal(describeCostliest([outcome('a', 'sqlite', 5)]), '', 'one file needs no list');
});

test('the report lists every file, the costliest first', () => {
  const files = listFiles([outcome('a', 'sqlite', 1), outcome('b', undefined, 2)]);
  assert.deepEqual(
    files.map(({ file, engine, cpuSeconds, seconds }) => [file, engine, cpuSeconds, seconds]),
    [
      ['b', 'none', 2, 4],
      ['a', 'sqlite', 1, 2],
    ],
  );
});

test('a flake is shown with its test, its reason and the output of both runs', () => {
  const text = describeFlakes([{ first: outcome('a', 'sqlite', 1, 1), second: outcome('a', 'sqlite', 1) }]);
  assert.equal(
    text,
    'FLAKY: a › goes wrong\n    a reason\n' +
      '  The output when it failed:\n    some output\n' +
      '  The output when it passed, with 2 tests:\n    (none)\n',
  );
  assert.equal(describeFlakes([]), '');
});

test('shared programs are listed with their processor time, except those under a second', () => {
  const cpuSeconds = new Map([
    ['postgres', 12.34],
    ['ceph-osd', 2],
    ['ceph-mon', 0.4],
  ]);
  assert.equal(
    describePrograms(cpuSeconds),
    'CPU of the programs that files share: postgres 12.3 s, ceph-osd 2.0 s\n',
  );
  assert.equal(describePrograms(new Map()), '');
});
