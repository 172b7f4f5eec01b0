// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AdminAudit } from '../../src/admin/overview/contract.ts';
import type { Instance } from '../../src/instance/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Listing, Person } from '../support/app/person.ts';
import { makePng } from '../support/media/pictures.ts';

const PUBLIC = '/api/v2/site/instance';
const SETTINGS = '/api/admin/settings/instance';
const DEFAULT: Instance = { name: 'Holdall', greeting: null, logoUrl: null };

const holdall = await startHoldall();
const beside = await startHoldall({ beside: holdall });
const admin = await holdall.admin();
const alice = await holdall.register('alice');

const read = (person: Person = holdall.anonymous) => person.ask<Instance>('GET', PUBLIC);
const change = (body: object) => admin.ask<Instance>('PATCH', SETTINGS, { body });
const callWithLogo = (bytes: Uint8Array<ArrayBuffer>, type = 'image/png') => {
  const body = new FormData();
  body.set('file', new Blob([bytes], { type }), 'logo');
  return admin.call<Instance>('POST', `${SETTINGS}/logo`, { body });
};
const fetchPublic = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, holdall.url), { headers });

describe('the instance', () => {
  test('has the default name, no greeting and no logo until an admin changes them', async () => {
    assert.deepEqual(await read(), DEFAULT);
    assert.equal((await holdall.anonymous.call('GET', `${PUBLIC}/logo`)).status, 404);
  });

  test('is named and greets on all instances of the service, until the default is restored', async () => {
    const named = { ...DEFAULT, name: 'Meyer family', greeting: 'Welcome!\nAsk Ann <b>first</b>.' };
    const body = { name: '  Meyer family ', greeting: ' Welcome!\r\nAsk Ann <b>first</b>. ' };
    assert.deepEqual(await change(body), named);
    assert.deepEqual(await read(), named);
    assert.deepEqual(await read(beside.anonymous), named);
    assert.deepEqual(await change({ greeting: null }), { ...named, greeting: null });
    assert.deepEqual(await change({ name: ' ' }), DEFAULT);
  });

  for (const [what, body, field] of [
    ['a long name', { name: 'x'.repeat(41) }, 'name'],
    ['a name of two lines', { name: 'Meyer\nfamily' }, 'name'],
    ['a name that turns the text after it', { name: 'Meyer\u202e' }, 'name'],
    ['a long greeting', { greeting: 'x'.repeat(301) }, 'greeting'],
    ['a greeting of seven lines', { greeting: 'x\n'.repeat(6).concat('x') }, 'greeting'],
    ['a greeting with a control character', { greeting: 'x\u0007' }, 'greeting'],
  ] as const) {
    test(`rejects ${what}`, async () => {
      const answer = await admin.call<{ field?: string }>('PATCH', SETTINGS, { body });
      assert.equal(answer.status, 400);
      assert.match(answer.msg, new RegExp(field));
      assert.deepEqual(await read(), DEFAULT);
    });
  }

  test('changes by admins only', async () => {
    for (const person of [alice, holdall.anonymous]) {
      const status = person === alice ? 403 : 401;
      assert.equal((await person.call('PATCH', SETTINGS, { body: { name: 'Mine' } })).status, status);
      assert.equal((await person.call('DELETE', `${SETTINGS}/logo`)).status, status);
    }
    assert.deepEqual(await read(), DEFAULT);
  });

  test('answers a repeated request without a body', async () => {
    const first = await fetchPublic(PUBLIC);
    const etag = first.headers.get('etag') ?? '';
    assert.equal(first.headers.get('cache-control'), 'no-cache');
    assert.equal((await fetchPublic(PUBLIC, { 'if-none-match': etag })).status, 304);
    await change({ name: 'Another' });
    assert.equal((await fetchPublic(PUBLIC, { 'if-none-match': etag })).status, 200);
    await change({ name: null });
  });
});

describe('the logo', () => {
  test('is decoded and encoded again, and may be cached for ever at its address', async () => {
    const { status, data } = await callWithLogo(makePng(600, 300));
    assert.equal(status, 200);
    const address = data.logoUrl ?? assert.fail('There is no logo.');
    const response = await fetchPublic(address);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(bytes.toString('latin1', 8, 12), 'WEBP');
    assert.equal(response.headers.get('content-type'), 'image/webp');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.match(response.headers.get('content-security-policy') ?? '', /sandbox; default-src 'none'/);
    assert.match(response.headers.get('cache-control') ?? '', /immutable/);
    assert.equal((await fetchPublic(`${PUBLIC}/logo`)).headers.get('cache-control'), 'no-cache');
    const etag = response.headers.get('etag') ?? '';
    assert.equal((await fetchPublic(address, { 'if-none-match': etag })).status, 304);

    const next = await callWithLogo(makePng(20, 20));
    assert.notEqual(next.data.logoUrl, address);
    assert.equal((await read(beside.anonymous)).logoUrl, next.data.logoUrl);
    assert.deepEqual(await admin.ask('DELETE', `${SETTINGS}/logo`), DEFAULT);
    assert.equal((await fetchPublic(address)).status, 404);
  });

  test('is never an SVG, a document or anything else that is not a raster picture', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>';
    for (const [content, type] of [
      [svg, 'image/svg+xml'],
      [svg, 'image/png'],
      ['%PDF-1.7', 'application/pdf'],
      ['', 'image/png'],
    ] as const) {
      const { status } = await callWithLogo(Buffer.from(content), type);
      assert.ok([400, 415].includes(status), `${status}`);
    }
    assert.equal((await callWithLogo(makePng(20, 20).subarray(0, 40))).status, 415);
    assert.equal((await callWithLogo(new Uint8Array(6 * 1024 ** 2))).status, 413);
    assert.deepEqual(await read(), DEFAULT);
  });
});

test('changes are in the audit log', async () => {
  await change({ name: 'Audited' });
  await change({ name: null });
  const { items } = await admin.ask<Listing<AdminAudit>>(
    'GET',
    '/api/admin/audits?actionType=UPDATE_INSTANCE&size=2',
  );
  const [last, first] = items;
  assert.ok(last && first);
  assert.deepEqual(first.detailsJson, { before: DEFAULT, after: { ...DEFAULT, name: 'Audited' } });
  assert.deepEqual([last.actor, last.targetType], ['admin', 'SETTING']);
});
