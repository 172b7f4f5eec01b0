import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planParts, readRequest } from './test-plan.ts';

const FILES = [
  'bench/median.test.ts',
  'server/src/base/page.test.ts',
  'server/test/architecture.test.ts',
  'server/test/architecture/rules.test.ts',
  'server/test/drive.test.ts',
  'server/test/shares.test.ts',
];

test('files with a database run on every engine, the others once', () => {
  const parts = planParts(FILES, readRequest([]));
  const behaviour = ['server/test/drive.test.ts', 'server/test/shares.test.ts'];
  assert.deepEqual(parts, [
    { title: 'without a database', engine: undefined, files: FILES.slice(0, 4) },
    { title: 'on sqlite', engine: 'sqlite', files: behaviour },
    { title: 'on postgres', engine: 'postgres', files: behaviour },
  ]);
});

test('a file whose name only begins like one without a database runs on every engine', () => {
  const parts = planParts(['server/test/architecture-of-tables.test.ts'], readRequest([]));
  assert.deepEqual(
    parts.map(({ engine }) => engine),
    ['sqlite', 'postgres'],
  );
});

test('filters choose the files that contain one of them, and parts without a file are left out', () => {
  const parts = planParts(FILES, readRequest(['drive', 'shares', '--engine', 'sqlite']));
  assert.deepEqual(parts, [
    {
      title: 'on sqlite',
      engine: 'sqlite',
      files: ['server/test/drive.test.ts', 'server/test/shares.test.ts'],
    },
  ]);
});

test('a filter that no file has leaves nothing to run', () => {
  assert.deepEqual(planParts(FILES, readRequest(['no such thing'])), []);
});

test('one engine can be asked for in both spellings', () => {
  assert.deepEqual(readRequest(['--engine', 'postgres']).engines, ['postgres']);
  assert.deepEqual(readRequest(['--engine=postgres', 'x']), { engines: ['postgres'], filters: ['x'] });
});

test('an unknown engine or option is refused with a sentence', () => {
  assert.throws(() => readRequest(['--engine', 'oracle']), /--engine takes sqlite or postgres, not oracle/);
  assert.throws(() => readRequest(['--engine']), /not nothing/);
  assert.throws(() => readRequest(['--fast']), /no option --fast/);
});
