import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planParts, readRequest, withoutS3 } from './test-plan.ts';

const FILES = [
  'bench/median.test.ts',
  'server/src/base/page.test.ts',
  'server/test/architecture/architecture.test.ts',
  'server/test/architecture/rules.test.ts',
  'server/test/drive.test.ts',
  'server/test/http/nginx.test.ts',
  'server/test/storage/s3-store.test.ts',
  'server/test/shares.test.ts',
  'tools/s3.test.ts',
];
const BEHAVIOUR = ['server/test/drive.test.ts', 'server/test/shares.test.ts'];
const WITHOUT = { title: 'without a database', database: undefined, onS3: false, files: FILES.slice(0, 4) };
const S3_ALONE = {
  title: 'on S3 without a database',
  database: undefined,
  onS3: true,
  files: ['server/test/storage/s3-store.test.ts', 'tools/s3.test.ts'],
};
const SQLITE = {
  title: 'on SQLite and local disk',
  database: 'sqlite',
  onS3: false,
  files: ['server/test/drive.test.ts', 'server/test/http/nginx.test.ts', 'server/test/shares.test.ts'],
};
const POSTGRES = {
  title: 'on PostgreSQL and local disk',
  database: 'postgres',
  onS3: false,
  files: BEHAVIOUR,
};
const S3 = { title: 'on PostgreSQL and S3', database: 'postgres', onS3: true, files: BEHAVIOUR };

test('by itself the behaviour runs on SQLite and disk and on PostgreSQL and S3, the rest once', () => {
  assert.deepEqual(planParts(FILES, readRequest([])), [WITHOUT, S3_ALONE, SQLITE, S3]);
});

test('one ground can be asked for in both spellings', () => {
  assert.deepEqual(planParts(FILES, readRequest(['--engine', 'postgres'])), [WITHOUT, POSTGRES]);
  assert.deepEqual(planParts(FILES, readRequest(['--engine=s3'])), [WITHOUT, S3_ALONE, S3]);
  assert.deepEqual(readRequest(['--engine=sqlite', 'x']), { grounds: ['sqlite'], filters: ['x'] });
});

test('where no S3 store is to be had PostgreSQL and disk take its place', () => {
  assert.deepEqual(planParts(FILES, withoutS3(readRequest([]))), [WITHOUT, SQLITE, POSTGRES]);
  assert.deepEqual(planParts(FILES, withoutS3(readRequest(['--engine=s3']))), [WITHOUT, POSTGRES]);
});

test('a file whose name only begins like one without a database runs on every ground', () => {
  const parts = planParts(['server/test/architecture-of-tables.test.ts'], readRequest([]));
  assert.deepEqual(
    parts.map(({ title }) => title),
    [SQLITE.title, S3.title],
  );
});

test('filters choose the files that contain one of them, and parts without a file are left out', () => {
  const parts = planParts(FILES, readRequest(['drive', 'shares', '--engine', 'sqlite']));
  assert.deepEqual(parts, [{ ...SQLITE, files: BEHAVIOUR }]);
});

test('a filter that no file has leaves nothing to run', () => {
  assert.deepEqual(planParts(FILES, readRequest(['no such thing'])), []);
});

test('an unknown ground or option is refused with a sentence', () => {
  assert.throws(
    () => readRequest(['--engine', 'oracle']),
    /--engine takes sqlite or postgres or s3, not oracle/,
  );
  assert.throws(() => readRequest(['--engine']), /not nothing/);
  assert.throws(() => readRequest(['--fast']), /no option --fast/);
});
