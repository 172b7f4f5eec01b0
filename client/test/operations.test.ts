// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { generateFiles } from '../../tools/client/generated-files.ts';
import { OPERATIONS } from '../src/client.ts';

const root = path.dirname(path.dirname(import.meta.dirname));

/** Mounted routes that are not part of the API for programs. */
const NOT_FOR_PROGRAMS: readonly RegExp[] = [
  /^\w+ \/(?:dav|drives)(?:\/|$)/,
  /^\w+ \/api\/(?:docs|openapi\.json)/,
  /^\w+ \/(?:metrics|_dl\/\*)$/,
  // WebDAV clients ask here first.
  /^(?:OPTIONS|PROPFIND) \/$/,
  // Pages of the web client.
  /^(?:GET|HEAD) \/(?!api\/|health\/|$)/,
  // For a single upload, OPTIONS repeats that of the collection, and POST only stands for other methods.
  /^(?:OPTIONS|POST) .*\/tus\/\{sessionId\}$/,
];

/** Operations for which the library has a simpler way. Only `Holdall.request` can call them. */
const ONLY_BY_NAME: readonly string[] = [
  'GET /api/auth/oidc/start',
  'GET /api/auth/oidc/callback',
  'POST /api/user/avatar/upload/initiate',
  'POST /api/files/upload/initiate',
  'PUT /api/files/upload/content',
  'POST /api/files/upload/complete',
  'GET /api/v2/files/upload-sessions/{sessionId}/prepare',
  'OPTIONS /api/v2/transfer/sessions/{transferId}/files/{fileId}/tus',
  'POST /api/v2/files/upload-sessions/{sessionId}/content',
  'GET /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}/prepare',
  'PUT /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}',
];

const known = Object.keys(OPERATIONS);

test('the operations of the library are exactly the routes of the service', async () => {
  const service = await startHoldall({ env: { HOLDALL_DEV_LOGIN: 'true' } });
  const mounted = service.app.server
    .listMountedRoutes()
    .map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
    .filter((name) => !NOT_FOR_PROGRAMS.some((pattern) => pattern.test(name)));
  // HEAD for a GET route is not a separate operation.
  const expected = mounted.filter(
    (name) => !name.startsWith('HEAD ') || !mounted.includes(name.replace('HEAD', 'GET')),
  );
  assert.ok(expected.length > 150);
  assert.deepEqual([...new Set(expected)].sort(), [...known].sort());
});

test('every operation has a method in the library, except those with a simpler way', () => {
  const files = globSync('client/src/**/*.ts', { cwd: root }).filter((file) => !file.includes('generated'));
  const source = files.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
  // Three files contain the URLs of resumable uploads in a shortened form.
  const text = source
    .replaceAll(/\$\{at\}/g, '/api/v2/files/tus')
    .replaceAll(/\$\{TUS\}/g, '/api/v2/folder-links/{token}/tus')
    .replaceAll(/\$\{TUS_OF_FILE\}/g, '/api/v2/transfer/sessions/{transferId}/files/{fileId}/tus');
  const missing = known.filter((name) => !text.includes(`'${name}'`) && !text.includes(`\`${name}\``));
  assert.deepEqual(missing.sort(), [...ONLY_BY_NAME].sort());
});

test('the generated types match the schemas of the server', async () => {
  for (const [file, text] of await generateFiles()) {
    assert.ok(
      readFileSync(path.join(root, file), 'utf8') === text,
      `${file} is out of date: run \`npm run client\`.`,
    );
  }
});
