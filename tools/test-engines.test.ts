import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentOf, startEngines, stopEngines } from './test-engines.ts';

const part = { title: 'x', files: ['x'] };
const SETTINGS = {
  endpoint: 'http://127.0.0.1:1',
  region: 'us-east-1',
  bucket: 'b',
  accessKeyId: 'a',
  secretAccessKey: 's',
  forcePathStyle: true,
} as const;
const act = async () => {};
const ENGINES = {
  postgres: { url: 'postgres://x', stop: act },
  s3: { settings: SETTINGS, stop: act, stopGateway: act, startGateway: act },
  missingS3: undefined,
};

test('parts that need no engine start none', async () => {
  const engines = await startEngines([
    { ...part, database: undefined, onS3: false },
    { ...part, database: 'sqlite', onS3: false },
  ]);
  await stopEngines(engines);
  assert.deepEqual(engines, { postgres: undefined, s3: undefined, missingS3: undefined });
});

test('test files learn of those engines that their part is for, and of no others', () => {
  const environment = (database: 'sqlite' | 'postgres' | undefined, onS3: boolean) => {
    const { HOLDALL_TEST_DATABASE, HOLDALL_TEST_S3 } = environmentOf({ ...part, database, onS3 }, ENGINES);
    return [HOLDALL_TEST_DATABASE, HOLDALL_TEST_S3];
  };
  const s3 = JSON.stringify(SETTINGS);
  assert.deepEqual(environment(undefined, false), [undefined, undefined]);
  assert.deepEqual(environment(undefined, true), [undefined, s3]);
  assert.deepEqual(environment('sqlite', false), ['sqlite', undefined]);
  assert.deepEqual(environment('postgres', false), ['postgres://x', undefined]);
  assert.deepEqual(environment('postgres', true), ['postgres://x', s3]);
});
