import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeParts, describePrograms, describeSlowest } from './report.ts';

const outcome = (file: string, engine: 'sqlite' | undefined, seconds: number, failed = 0) => ({
  job: { file, engine, needs: [] },
  seconds,
  cpuSeconds: seconds / 2,
  ...{ passed: 2, failed, skipped: failed },
});

test('each kind of engine has a line with its counts', () => {
  const text = describeParts([
    outcome('a', 'sqlite', 1),
    outcome('b', undefined, 2, 1),
    outcome('c', 'sqlite', 3),
  ]);
  assert.equal(
    text,
    '✔ on SQLite and local disk: 4 passed, 0 failed (2 files, 4.0 s, 2.0 s CPU)\n' +
      '✖ without a database: 2 passed, 1 failed, 1 SKIPPED (1 files, 2.0 s, 1.0 s CPU)\n',
  );
});

test('the slowest files are listed, those under a second are not', () => {
  const text = describeSlowest([
    outcome('a', 'sqlite', 1.24),
    outcome('b', undefined, 30),
    outcome('c', undefined, 0.2),
  ]);
  assert.equal(
    text,
    'The slowest files:\n' +
      '   30.0 s    15.0 s CPU  b without a database\n' +
      '    1.2 s     0.6 s CPU  a on SQLite and local disk\n',
  );
  assert.equal(describeSlowest([outcome('a', 'sqlite', 5)]), '', 'one file needs no list');
});

test('shared programs are listed with their processor time, those under a second are not', () => {
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
