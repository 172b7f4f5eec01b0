// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const admin = await holdall.admin();

/** Browsers guess the charset of text that names none. JSON and event streams are always UTF-8. */
const TEXT = /^(?:text\/[\w.+-]+|application\/(?:[\w.+-]+\+)?(?:json|xml|javascript))\b/;

const bodies = holdall.app.server.listMountedRoutes().filter(({ method }) => method === 'GET');

for (const [name, person] of [
  ['an admin', admin],
  ['a stranger', holdall.anonymous],
] as const) {
  test(`every response to ${name} has its type, text its charset, and the security headers`, async () => {
    assert.ok(bodies.length > 40, `only ${bodies.length} routes`);
    for (const { url } of [...bodies, { url: '/nowhere' }]) {
      const { status, headers } = await get(person, url.replaceAll(/:\w+|\*/g, '999999999'));
      const type = headers.get('content-type') ?? '';
      // A redirect has no body.
      if (status < 300 || status > 399) assert.match(type, /^[\w.+-]+\/[\w.+-]+/, url);
      if (TEXT.test(type)) assert.match(type, /; ?charset=utf-8$/i, url);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', url);
      assert.equal(headers.get('x-frame-options'), 'DENY', url);
      assert.equal(headers.get('referrer-policy'), 'no-referrer', url);
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/, url);
    }
  });
}

test('search engines are told to list neither links nor the API, whatever the answer', async () => {
  for (const name of ['s', 'l', 'f', 't', 'transfer']) {
    for (const url of [`/${name}`, `/${name}/token`, `/${name}/token?preview=1`]) {
      assert.equal((await get(holdall.anonymous, url)).headers.get('x-robots-tag'), 'noindex', url);
    }
  }
  for (const { url } of bodies.filter(({ url }) => /^\/(?:api|_dl|dav)\b/.test(url))) {
    const { headers } = await get(holdall.anonymous, url.replaceAll(/:\w+|\*/g, '999999999'));
    assert.equal(headers.get('x-robots-tag'), 'noindex', url);
  }
  for (const url of ['/', '/login', '/settings', '/starred']) {
    assert.equal((await get(holdall.anonymous, url)).headers.get('x-robots-tag'), null, url);
  }
});

test('only addresses of the web client and the API pages have code that a page can run', async () => {
  const kinds = ['script', 'worker', 'sharedworker', 'serviceworker', 'style', 'xslt', 'paintworklet'];
  const others = ['audioworklet', 'manifest', 'embed', 'object'];
  const ofCode = /^\/(?:assets\/|frames\/|web\/|service-worker\.js$|api\/docs\/)/;
  for (const { url } of bodies.filter(({ url }) => !ofCode.test(url))) {
    for (const kind of url.includes('download') || url.startsWith('/_dl')
      ? [...kinds, ...others]
      : ['script']) {
      const path = url.replaceAll(/:\w+|\*/g, '999999999');
      assert.equal((await get(admin, path, { 'sec-fetch-dest': kind })).status, 403, `${url} as ${kind}`);
    }
  }
  for (const { url } of bodies.filter(({ url }) => ofCode.test(url))) {
    const { status } = await get(admin, url.replace('*', 'x.js'), { 'sec-fetch-dest': 'script' });
    assert.notEqual(status, 403, url);
  }
});

test('files of users are sent to pages as pictures, media and downloads, but never as code', async () => {
  const file = await admin.upload('/script.js', 'alert(1)', 'text/javascript');
  const { url } = await admin.ask<{ url: string }>('GET', `/api/files/download/${file.id}/url`);
  const body = { fileId: file.id, maxDownloads: 5 };
  const { token } = await admin.ask<{ token: string }>('POST', '/api/v2/shares', { body });
  for (const path of [`/api/files/download/${file.id}`, url, `/api/v2/shares/${token}?download`]) {
    for (const kind of ['document', 'iframe', 'image', 'video', 'audio', 'track', 'empty']) {
      assert.equal((await get(admin, path, { 'sec-fetch-dest': kind })).status, 200, `${path} as ${kind}`);
      if (path.includes('shares')) break;
    }
    assert.equal((await get(admin, path, { 'sec-fetch-dest': 'script' })).status, 403, path);
  }
  const { downloadCount } = await admin.ask<{ downloadCount: number }>('GET', `/api/v2/shares/${token}`);
  assert.equal(downloadCount, 1);
});

async function get(
  person: Person,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const response = await person.fetch('GET', url, { headers });
  await response.body?.cancel();
  return response;
}
