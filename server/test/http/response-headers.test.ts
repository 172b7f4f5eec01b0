// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const admin = await holdall.admin();

/** Text without a charset would be read as whatever the browser guesses. JSON and event streams are UTF-8. */
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

test('search engines list neither what links lead to nor the API, whatever the answer', async () => {
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

async function get(person: Person, url: string): Promise<Response> {
  const response = await person.fetch('GET', url);
  await response.body?.cancel();
  return response;
}
