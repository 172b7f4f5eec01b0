// tier: default
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
import { TIERS } from './tiers.ts';

const FILE = 'server/test/drive/drive.test.ts';

const NO_ENGINES = { default: [], full: [], long: [] } as const;

test('a file declares its tier, engines and needs on its first lines', () => {
  const text = [
    '// tier: full',
    '// runs on: sqlite, postgres',
    '// runs on, with --full: s3',
    '// needs: nginx, disk',
    'import x;',
  ].join('\n');
  assert.deepEqual(readDeclaration(FILE, text), {
    tier: 'full',
    engines: { default: ['sqlite', 'postgres'], full: ['s3'], long: [] },
    needs: ['nginx', 'disk'],
  });
  assert.deepEqual(readDeclaration(FILE, '// tier: default\nimport x;\n'), {
    tier: 'default',
    engines: NO_ENGINES,
    needs: [],
  });
});

test('a declaration further down in the file is ignored', () => {
  const text = `// tier: default\n${'\n'.repeat(10)}// runs on: sqlite\n`;
  assert.deepEqual(readDeclaration(FILE, text).engines.default, []);
});

test('a file without a tier causes an error that names the file', () => {
  assert.throws(() => readDeclaration(FILE, 'import x;\n'), /drive\.test\.ts does not say its tier/);
});

test('an unknown word in a declaration causes an error that names the file', () => {
  assert.throws(
    () => readDeclaration(FILE, '// tier: default\n// runs on: oracle\n'),
    /^Error: server\/test\/drive\/drive\.test\.ts runs on sqlite or postgres or s3, not oracle\.$/,
  );
  assert.throws(
    () => readDeclaration(FILE, '// tier: slow\n'),
    /is in tier default or full or long, not slow/,
  );
  assert.throws(
    () => readDeclaration(FILE, '// tier: default\n// needs: luck\n'),
    /needs bucket or build or browser .*, not luck/,
  );
});

type Declared = Partial<Omit<Declaration, 'engines'>> & {
  readonly engines?: Partial<Declaration['engines']>;
};

const enginesOf = (
  { engines, ...declared }: Declared,
  request: Partial<TestRequest> = {},
): readonly TestJob['engine'][] =>
  jobsOf(
    FILE,
    { tier: 'default', needs: [], ...declared, engines: { ...NO_ENGINES, ...engines } },
    { engine: undefined, tier: 'default', ...request },
  ).map(({ engine }) => engine);

test('a file runs once on each declared engine, or once if it declares none', () => {
  assert.deepEqual(enginesOf({ engines: { default: ['sqlite', 's3'] } }), ['sqlite', 's3']);
  assert.deepEqual(enginesOf({}), [undefined]);
});

test('a file runs in its tier and in all larger ones', () => {
  const runsIn = (tier: Declaration['tier']) =>
    TIERS.filter((one) => enginesOf({ tier }, { tier: one }).length > 0);
  assert.deepEqual(runsIn('default'), ['default', 'full', 'long']);
  assert.deepEqual(runsIn('full'), ['full', 'long']);
  assert.deepEqual(runsIn('long'), ['long']);
});

test('a file can declare engines for larger tiers only', () => {
  const engines = { default: ['sqlite'], full: ['postgres'], long: ['s3'] } as const;
  assert.deepEqual(enginesOf({ engines }), ['sqlite']);
  assert.deepEqual(enginesOf({ engines }, { tier: 'full' }), ['sqlite', 'postgres']);
  assert.deepEqual(enginesOf({ engines }, { tier: 'long' }), ['sqlite', 'postgres', 's3']);
  assert.deepEqual(enginesOf({ engines }, { tier: 'long', engine: 's3' }), ['s3']);
  assert.deepEqual(enginesOf({ engines: { full: ['postgres'] } }), [], 'nothing runs without its database');
});

test('--engine excludes the other engines, and buckets unless it is s3', () => {
  const both = { engines: { default: ['sqlite', 'postgres'] } } as const;
  assert.deepEqual(enginesOf(both, { engine: 'postgres' }), ['postgres']);
  assert.deepEqual(enginesOf(both, { engine: 's3' }), []);
  const bucket = { needs: ['bucket'] } as const;
  assert.deepEqual(enginesOf(bucket, { engine: 'sqlite' }), []);
  assert.equal(enginesOf(bucket, { engine: 's3' }).length, 1);
});

test('without an S3 store, a file runs on PostgreSQL unless it does so anyway or is only about S3', () => {
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

const NOTHING = {
  filters: [],
  name: undefined,
  engine: undefined,
  tier: 'default',
  seed: undefined,
  isInspected: false,
  isWatching: false,
};

test('a request may have filters, a name, an engine in either spelling, a tier and a seed', () => {
  assert.deepEqual(readRequest([]), NOTHING);
  assert.deepEqual(readRequest(['x', '--engine', 'postgres', '--name', 'survives a copy']), {
    ...NOTHING,
    filters: ['x'],
    engine: 'postgres',
    name: 'survives a copy',
  });
  assert.deepEqual(readRequest(['--engine=s3', '--full', 'y', '--seed', '7']), {
    ...NOTHING,
    filters: ['y'],
    engine: 's3',
    tier: 'full',
    seed: 7,
  });
  assert.equal(readRequest(['--full', '--long']).tier, 'long');
  assert.deepEqual(readRequest(['x', '--watch', '--inspect']), {
    ...NOTHING,
    filters: ['x'],
    isWatching: true,
    isInspected: true,
  });
});

test('an unknown engine, option or seed is rejected with a sentence', () => {
  assert.throws(
    () => readRequest(['--engine', 'oracle']),
    /--engine takes sqlite or postgres or s3, not oracle/,
  );
  assert.throws(() => readRequest(['--engine']), /argument missing.*\nUsage: npm test/s);
  assert.throws(() => readRequest(['--fast']), /'--fast'.*\nUsage: npm test/s);
  assert.throws(() => readRequest(['--seed', 'luck']), /--seed takes a whole number/);
});

test('each kind of engine has a heading', () => {
  const heading = (engine: TestJob['engine'], ...needs: Need[]) => describeEngine({ engine, needs });
  assert.equal(heading('sqlite'), 'on SQLite and local disk');
  assert.equal(heading('postgres'), 'on PostgreSQL and local disk');
  assert.equal(heading('s3', 'browser'), 'on PostgreSQL and S3');
  assert.equal(heading(undefined, 'bucket'), 'on S3 without a database');
  assert.equal(heading(undefined), 'without a database');
});

test('a run is whole if it has no filters, name or engine', () => {
  assert.ok(isWholeRun(readRequest([])));
  assert.ok(isWholeRun(readRequest(['--long'])));
  assert.ok(!isWholeRun(readRequest(['drive'])));
  assert.ok(!isWholeRun(readRequest(['--name', 'drive'])));
  assert.ok(!isWholeRun(readRequest(['--engine', 'sqlite'])));
});
