// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';

const WEB = 'https://keeweb.example';
const APPS = ['app://obsidian.md', 'capacitor://localhost', 'moz-extension://0a1b-2c3d'];
const holdall = await startHoldall({ env: { HOLDALL_CORS_ORIGINS: [WEB, ...APPS].join(',') } });
const alice = await holdall.register('alice');
const { authorization } = await asDavClient(alice);

const wordsOf = (response: Response, name: string) =>
  (response.headers.get(name) ?? '').split(',').map((word) => word.trim());

const preflight = (origin: string, method: string, path = '/dav/') =>
  holdall.anonymous.fetch('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,depth,destination,if,lock-token,overwrite,timeout',
    },
  });

describe('a page of an allowed origin', () => {
  test('may use every method of the API and of WebDAV', async () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'PROPPATCH', 'MKCOL'];
    for (const origin of [WEB, ...APPS]) {
      for (const method of [...methods, 'COPY', 'MOVE', 'LOCK', 'UNLOCK']) {
        const response = await preflight(origin, method);
        assert.equal(response.status, 204, method);
        assert.equal(response.headers.get('access-control-allow-origin'), origin);
        assert.ok(wordsOf(response, 'access-control-allow-methods').includes(method), method);
        for (const name of ['authorization', 'depth', 'destination', 'lock-token']) {
          assert.ok(wordsOf(response, 'access-control-allow-headers').includes(name), name);
        }
      }
    }
  });

  test('may read the headers of WebDAV, also in an error', async () => {
    const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
      alice.fetch(method, path, { headers: { origin: WEB, authorization, ...headers } });
    for (const [response, status, needed] of [
      [await ask('OPTIONS', '/dav/'), 200, ['dav', 'allow', 'ms-author-via']],
      [await ask('PUT', '/dav/new.txt'), 201, ['dav', 'etag']],
      [await ask('LOCK', '/dav/new.txt', { timeout: 'Second-60' }), 400, ['dav']],
      [await ask('GET', '/dav/missing'), 404, ['dav']],
      [await ask('GET', '/dav/missing', { authorization: 'Basic eDp5' }), 401, ['www-authenticate']],
    ] as const) {
      assert.equal(response.status, status);
      assert.equal(response.headers.get('access-control-allow-origin'), WEB);
      const exposed = wordsOf(response, 'access-control-expose-headers');
      for (const name of [...needed, 'lock-token', 'location', 'etag'])
        assert.ok(exposed.includes(name), name);
    }
  });
});

test('a page of another origin may use nothing, however similar the origin is', async () => {
  const others = [
    'http://keeweb.example',
    `${WEB}:8443`,
    `${WEB}.evil.example`,
    'app://obsidian.md.evil',
    'null',
  ];
  for (const origin of [...others, 'app://other', 'capacitor://localhost:1', 'moz-extension://0a1b']) {
    const response = await preflight(origin, 'PROPFIND');
    assert.equal(response.headers.get('access-control-allow-origin'), null, origin);
  }
});

test('an OPTIONS request that is not a preflight gets the answer of WebDAV', async () => {
  const headers = { origin: WEB, authorization };
  const response = await alice.fetch('OPTIONS', '/dav/', { headers });
  assert.equal(response.headers.get('dav'), '1, 2, 3');
  assert.ok(wordsOf(response, 'allow').includes('PROPFIND'));
});

test('with WebDAV off, preflights do not allow its methods', async () => {
  const other = await startHoldall({ env: { HOLDALL_CORS_ORIGINS: WEB, HOLDALL_WEBDAV: 'off' } });
  const headers = { origin: WEB, 'access-control-request-method': 'GET' };
  const response = await other.anonymous.fetch('OPTIONS', '/api/files/list', { headers });
  const methods = wordsOf(response, 'access-control-allow-methods');
  assert.ok(methods.includes('GET') && !methods.includes('PROPFIND'), methods.join());
});
