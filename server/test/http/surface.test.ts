// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { STABLE_ROUTES } from '../../../tools/conformance/operations.ts';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { listApiRoutes } from '../support/http/api-routes.ts';

test('the stable operations are mounted, with the access that clients rely on', async () => {
  const { app } = await startHoldall({ env: { HOLDALL_DEV_LOGIN: 'true' } });
  const mounted = new Set(
    listApiRoutes(app.server).map(
      ({ access, method, url }) => `${access} ${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`,
    ),
  );
  assert.deepEqual(
    rowsOf(STABLE_ROUTES).filter((row) => !mounted.has(row)),
    [],
  );
});

test('dev-login is mounted only if it is enabled', async () => {
  const { anonymous } = await startHoldall();
  await anonymous.refused(404, 1003, 'POST', '/api/auth/dev-login');
});

test('OpenAPI describes the upload forms of files', async () => {
  const { anonymous } = await startHoldall();
  const text = await (await anonymous.fetch('GET', '/api/openapi.json')).text();
  const { paths } = JSON.parse(text);
  for (const [url, parts] of [
    ['/api/files/upload', ['file', 'path', 'modifiedAt', 'onConflict']],
    ['/api/user/avatar/upload', ['file']],
  ] as const) {
    const { properties, required } = paths[url].post.requestBody.content['multipart/form-data'].schema;
    assert.deepEqual([Object.keys(properties), required], [parts, ['file']]);
    assert.equal(properties.file.format, 'binary');
  }
});

test('OpenAPI describes the possible answers of a download', async () => {
  const { anonymous } = await startHoldall();
  const { paths } = JSON.parse(await (await anonymous.fetch('GET', '/api/openapi.json')).text());
  for (const url of ['/api/files/download/{fileId}', '/api/user/avatar/content', '/api/v2/shares/{token}']) {
    const { responses } = paths[url].get;
    for (const status of ['206', '304', '412', '416', '4XX'])
      assert.ok(status in responses, `${url} ${status}`);
    assert.equal(responses['200'].content['*/*'].schema.format, 'binary');
  }
});

test('readiness is checked at most once a second, however often it is requested', inFull, async (context) => {
  const { app, anonymous } = await startHoldall();
  const check = context.mock.method(app.database, 'check');
  for (let call = 0; call < 10; call += 1) await anonymous.ask('GET', '/health/ready');
  assert(check.mock.callCount() <= 2, `${check.mock.callCount()} times`);
  check.mock.mockImplementation(() => Promise.reject(new Error('gone')));
  await sleep(1_100);
  const answer = await anonymous.refused(503, 1503, 'GET', '/health/ready');
  assert.equal(answer.headers.get('retry-after'), '5');
  await anonymous.refused(503, 1503, 'GET', '/health/ready');
  check.mock.restore();
  await sleep(1_100);
  await anonymous.ask('GET', '/health/ready');
});

test('readiness is 503 while the database does not answer, and 200 again afterwards', async (context) => {
  const { app, anonymous } = await startHoldall();
  const check = context.mock.method(app.database, 'check', () => Promise.reject(new Error('gone')));
  const answer = await anonymous.refused(503, 1503, 'GET', '/health/ready');
  assert.equal(answer.headers.get('retry-after'), '5');
  check.mock.restore();
  await waitUntil(
    'it is ready again',
    async () => (await anonymous.call('GET', '/health/ready')).status === 200,
  );
});

function rowsOf(table: string): readonly string[] {
  return table
    .trim()
    .split('\n')
    .map((row) => row.trim().replaceAll(/ +/g, ' '));
}
