import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Declaration,
  describeEngine,
  isWholeRun,
  jobsOf,
  type Need,
  readDeclaration,
  readRequest,
  replaceS3,
  type TestJob,
  type TestRequest,
} from './plan.ts';

const FILE = 'server/test/drive/drive.test.ts';

test('a file declares its engines and needs on its first lines', () => {
  const text =
    '// runs on: sqlite, postgres\n// runs on, with --long: s3\n// needs: nginx, disk\nimport x;\n';
  assert.deepEqual(readDeclaration(FILE, text), {
    engines: ['sqlite', 'postgres'],
    longEngines: ['s3'],
    needs: ['nginx', 'disk'],
  });
  assert.deepEqual(readDeclaration(FILE, 'import x;\n'), { engines: [], longEngines: [], needs: [] });
});

test('a declaration further down is no declaration', () => {
  assert.deepEqual(readDeclaration(FILE, `${'\n'.repeat(10)}// runs on: sqlite\n`).engines, []);
});

test('an unknown word in a declaration is an error that names the file', () => {
  assert.throws(
    () => readDeclaration(FILE, '// runs on: oracle\n'),
    /^Error: server\/test\/drive\/drive\.test\.ts runs on sqlite or postgres or s3, not oracle\.$/,
  );
  assert.throws(
    () => readDeclaration(FILE, '// needs: luck\n'),
    /needs bucket or build or browser .*, not luck/,
  );
});

const enginesOf = (
  declared: Partial<Declaration>,
  request: Partial<TestRequest> = {},
): readonly TestJob['engine'][] =>
  jobsOf(
    FILE,
    { engines: [], longEngines: [], needs: [], ...declared },
    { engine: undefined, isLong: false, ...request },
  ).map(({ engine }) => engine);

test('a file runs once on each engine that it declares, and once without a declaration', () => {
  assert.deepEqual(enginesOf({ engines: ['sqlite', 's3'] }), ['sqlite', 's3']);
  assert.deepEqual(enginesOf({}), [undefined]);
});

test('a file can declare engines that only the long tests use', () => {
  const declared = { engines: ['sqlite', 'postgres'], longEngines: ['s3'] } as const;
  assert.deepEqual(enginesOf(declared), ['sqlite', 'postgres']);
  assert.deepEqual(enginesOf(declared, { isLong: true }), ['sqlite', 'postgres', 's3']);
  assert.deepEqual(enginesOf(declared, { isLong: true, engine: 's3' }), ['s3']);
});

test('--engine leaves out the other engines, and a bucket where it does not mean S3', () => {
  const both = { engines: ['sqlite', 'postgres'] } as const;
  assert.deepEqual(enginesOf(both, { engine: 'postgres' }), ['postgres']);
  assert.deepEqual(enginesOf(both, { engine: 's3' }), []);
  const bucket = { needs: ['bucket'] } as const;
  assert.deepEqual(enginesOf(bucket, { engine: 'sqlite' }), []);
  assert.equal(enginesOf(bucket, { engine: 's3' }).length, 1);
});

test('without an S3 store a file runs on PostgreSQL, unless it does so anyway or is about S3 only', () => {
  const replacement = (...engines: ('sqlite' | 'postgres' | 's3')[]) => {
    const jobs = engines.map((engine) => ({ file: FILE, engine, needs: [] }));
    const job = jobs.find(({ engine }) => engine === 's3');
    assert.ok(job);
    return replaceS3(job, jobs)?.engine;
  };
  assert.equal(replacement('sqlite', 's3'), 'postgres');
  assert.equal(replacement('sqlite', 'postgres', 's3'), undefined);
  assert.equal(replacement('s3'), undefined);
});

test('a request has filters, an engine in either spelling, and the long tests', () => {
  assert.deepEqual(readRequest([]), { filters: [], engine: undefined, isLong: false });
  assert.deepEqual(readRequest(['x', '--engine', 'postgres']), {
    filters: ['x'],
    engine: 'postgres',
    isLong: false,
  });
  assert.deepEqual(readRequest(['--engine=s3', '--long', 'y']), {
    filters: ['y'],
    engine: 's3',
    isLong: true,
  });
});

test('an unknown engine or option is rejected with a sentence', () => {
  assert.throws(
    () => readRequest(['--engine', 'oracle']),
    /--engine takes sqlite or postgres or s3, not oracle/,
  );
  assert.throws(() => readRequest(['--engine']), /not nothing/);
  assert.throws(() => readRequest(['--fast']), /no option --fast/);
});

test('each kind of engine has a heading', () => {
  const heading = (engine: TestJob['engine'], ...needs: Need[]) => describeEngine({ engine, needs });
  assert.equal(heading('sqlite'), 'on SQLite and local disk');
  assert.equal(heading('postgres'), 'on PostgreSQL and local disk');
  assert.equal(heading('s3', 'browser'), 'on PostgreSQL and S3');
  assert.equal(heading(undefined, 'bucket'), 'on S3 without a database');
  assert.equal(heading(undefined), 'without a database');
});

test('a run is whole without filters and without an engine', () => {
  assert.ok(isWholeRun(readRequest([])));
  assert.ok(isWholeRun(readRequest(['--long'])));
  assert.ok(!isWholeRun(readRequest(['drive'])));
  assert.ok(!isWholeRun(readRequest(['--engine', 'sqlite'])));
});
