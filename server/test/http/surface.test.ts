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

/** Further calls, marked [+] in `docs/api.md` or used through an `uploadUrl`. */
const ADDED = `
  login  POST   /api/auth/logout
  public GET    /api/auth/methods
  public GET    /api/auth/oidc/start
  public GET    /api/auth/oidc/callback
  public POST   /api/auth/oidc/ticket
  login  POST   /api/user/identities/oidc
  login  DELETE /api/user/identities/{id}
  public POST   /api/auth/second-factor
  public POST   /api/auth/passkey/options
  public POST   /api/auth/passkey
  login  GET    /api/user/security
  login  GET    /api/user/security/changes
  login  POST   /api/user/totp
  login  POST   /api/user/totp/confirm
  login  POST   /api/user/totp/recovery-codes
  login  DELETE /api/user/totp
  login  POST   /api/user/passkeys/options
  login  POST   /api/user/passkeys
  login  GET    /api/user/passkeys
  login  DELETE /api/user/passkeys/{id}
  login  GET    /api/user/sessions
  login  DELETE /api/user/sessions/{id}
  login  POST   /api/user/app-passwords
  login  GET    /api/user/app-passwords
  login  DELETE /api/user/app-passwords/{id}
  login  PUT    /api/files/upload/content
  login  DELETE /api/files/recycle-bin/{fileId}
  login  DELETE /api/files/recycle-bin
  login  GET    /api/v2/files/{fileId}
  login  GET    /api/v2/files/starred
  login  GET    /api/v2/files/timeline
  login  GET    /api/v2/files/timeline/months
  login  PUT    /api/v2/files/{fileId}/star
  login  DELETE /api/v2/files/{fileId}/star
  login  GET    /api/v2/files/changes
  login  PUT    /api/v2/files/{fileId}/content
  admin  PATCH  /api/admin/settings/registration/account-defaults
  admin  GET    /api/admin/maintenance
  admin  POST   /api/admin/users
  admin  DELETE /api/admin/users/{userId}
  admin  PATCH  /api/admin/users/{userId}/max-entries
  admin  DELETE /api/admin/users/{userId}/second-factors
  admin  DELETE /api/admin/users/{userId}/identities/{identityId}
  admin  GET    /api/admin/invites
  admin  POST   /api/admin/invites
  admin  DELETE /api/admin/invites/{id}
  login  PATCH  /api/v2/shares/{id}
  login  POST   /api/v2/folder-links
  login  GET    /api/v2/folder-links/mine
  login  PATCH  /api/v2/folder-links/{id}
  login  DELETE /api/v2/folder-links/{id}
  public GET    /api/v2/folder-links/{token}
  public POST   /api/v2/folder-links/{token}/verify-password
  public POST   /api/v2/folder-links/{token}/uploads
  public OPTIONS /api/v2/folder-links/{token}/tus
  public POST   /api/v2/folder-links/{token}/tus
  public OPTIONS /api/v2/folder-links/{token}/tus/{sessionId}
  public PATCH  /api/v2/folder-links/{token}/tus/{sessionId}
  public POST   /api/v2/folder-links/{token}/tus/{sessionId}
  public DELETE /api/v2/folder-links/{token}/tus/{sessionId}
  public GET    /api/v2/folder-links/{token}/thumbnail
  login  POST   /api/v2/folder-links/{token}/import
  admin  GET    /api/admin/folder-links
  admin  DELETE /api/admin/folder-links/{linkId}
  public GET    /api/v2/folder-links/{token}/entries
  public GET    /api/v2/folder-links/{token}/download
  public POST   /api/v2/folder-links/{token}/downloads
  public GET    /api/v2/folder-links/{token}/downloads
  login  GET    /api/v2/share-links/mine
  login  DELETE /api/v2/share-links/{id}
  login  POST   /api/v2/downloads
  public GET    /api/v2/downloads
  public GET    /api/v2/shares/{token}/thumbnail
  login  GET    /api/v2/files/{fileId}/thumbnail
  login  GET    /api/v2/files/{fileId}/archive
  login  GET    /api/v2/files/{fileId}/versions
  login  GET    /api/v2/files/{fileId}/versions/{versionId}
  login  POST   /api/v2/files/{fileId}/versions/{versionId}/restore
  login  DELETE /api/v2/files/{fileId}/versions/{versionId}
  login  OPTIONS /api/v2/files/tus
  login  POST   /api/v2/files/tus
  login  OPTIONS /api/v2/files/tus/{sessionId}
  login  PATCH  /api/v2/files/tus/{sessionId}
  login  POST   /api/v2/files/tus/{sessionId}
  login  DELETE /api/v2/files/tus/{sessionId}
  public GET    /_dl/*
  public DELETE /api/transfer/sessions/{sessionId}
  public DELETE /api/v2/transfer/sessions/{sessionId}/receiver
  public GET    /api/v2/transfer/sessions/{sessionId}/download
  login  POST   /api/v2/transfer/sessions/{sessionId}/offer
  login  DELETE /api/v2/transfer/sessions/{sessionId}/offer
  login  OPTIONS /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus
  login  POST   /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus
  login  OPTIONS /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}
  login  PATCH  /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}
  login  POST   /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}
  login  DELETE /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus/{sessionId}
  public GET    /api/transfer/ice-servers
  public GET    /health/live
  public GET    /health/ready
  public GET    /metrics
  public GET    /api/openapi.json
`;

test('exactly the listed routes are mounted, with the listed access', async () => {
  const { app } = await startHoldall({ env: { HOLDALL_DEV_LOGIN: 'true' } });
  const mounted = listApiRoutes(app.server)
    .filter(({ method }) => method !== 'HEAD')
    .map(({ access, method, url }) => `${access} ${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
  assert.deepEqual(mounted.sort(), [...rowsOf(STABLE_ROUTES), ...rowsOf(ADDED)].sort());
});

test('dev-login is mounted only if it is enabled', async () => {
  const { anonymous } = await startHoldall();
  await anonymous.refused(404, 1003, 'POST', '/api/auth/dev-login');
});

test('OpenAPI describes the forms with which files are uploaded', async () => {
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

test('OpenAPI describes what a download can answer', async () => {
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
