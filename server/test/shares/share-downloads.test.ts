// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { ShareSummary } from '../../src/shares/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { loseStoredFiles } from '../support/drive/stored-files.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';

const SHARES = '/api/v2/shares';
const HOUR = 3_600_000;

const holdall = await startHoldall();
await withoutDirect(holdall);
const bytes = randomBytes(400_000);
let alice: Person;
let file: EntryRecord;

before(async () => {
  alice = await holdall.register('alice');
  file = await alice.upload('/Ünser (1).bin', bytes);
});

const share = (options: object = {}, of = file) =>
  alice.ask<ShareSummary>('POST', SHARES, { body: { fileId: of.id, ...options } });
const count = async ({ token }: ShareSummary) =>
  (await alice.ask<ShareSummary>('GET', `${SHARES}/${token}`)).downloadCount;
const fetchShare = (
  { token }: ShareSummary,
  headers: Record<string, string> = {},
  { method = 'GET', query = 'download' } = {},
) => holdall.anonymous.fetch(method, `${SHARES}/${token}?${query}`, { headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

/** The cookie that an answer sets, as a browser would send it back. */
function cookieOf(response: Response): string {
  return response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

async function assertRefused(response: Response, status: number): Promise<void> {
  const envelope = (await response.json()) as { code: number; data: unknown };
  assert.deepEqual([response.status, envelope.code, envelope.data], [status, 2000 + status, null]);
  assert.equal(response.headers.get('set-cookie'), null);
}

describe('a shared download', () => {
  test('has a file name, an ETag and ranges, and is never displayed as a page', async () => {
    const shared = await share();
    const response = await fetchShare(shared);
    assert.equal(response.status, 200);
    assert.ok((await bytesOf(response)).equals(bytes));
    const header = (name: string) => response.headers.get(name) ?? '';
    assert.match(
      header('content-disposition'),
      /^attachment; .*filename\*=UTF-8''%C3%9Cnser%20%281%29\.bin$/,
    );
    assert.equal(header('content-length'), '400000');
    assert.equal(header('x-content-type-options'), 'nosniff');
    assert.match(header('content-security-policy'), /sandbox/);
    const range = await fetchShare(shared, { range: 'bytes=100-199' });
    assert.equal(range.status, 206);
    assert.ok((await bytesOf(range)).equals(bytes.subarray(100, 200)));
    assert.equal((await fetchShare(shared, { 'if-none-match': header('etag') })).status, 304);
  });

  for (const query of ['download', 'download=', 'download=1', 'download=false', 'download&download=2&x=y']) {
    test(`can be requested with ?${query}`, async () => {
      assert.ok((await bytesOf(await fetchShare(await share(), {}, { query }))).equals(bytes));
    });
  }

  test('spends one use of the budget each time, whatever its size', async () => {
    const empty = await alice.upload('/empty', '');
    const small = await alice.upload('/small', 'x');
    for (const each of [file, small, empty]) {
      const shared = await share({ maxDownloads: 2 }, each);
      assert.equal((await bytesOf(await fetchShare(shared))).length, each.size);
      assert.equal(await count(shared), 1);
      await bytesOf(await fetchShare(shared));
      await assertRefused(await fetchShare(shared), 410);
      assert.equal(await count(shared), 2);
    }
  });

  test('spends nothing when no bytes are sent', async () => {
    const shared = await share({ maxDownloads: 1 });
    const head = await fetchShare(shared, {}, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '400000']);
    const tag = head.headers.get('etag') ?? '';
    assert.equal((await fetchShare(shared, { 'if-none-match': tag })).status, 304);
    assert.equal((await fetchShare(shared, { 'if-match': '"other"' })).status, 412);
    assert.equal((await fetchShare(shared, { range: 'bytes=400000-' })).status, 416);
    assert.equal(await count(shared), 0);
    await bytesOf(await fetchShare(shared));
    assert.equal((await fetchShare(shared, {}, { method: 'HEAD' })).status, 410);
  });

  test('spends the same budget as an import', async () => {
    const bob = await holdall.register('bob');
    const shared = await share({ maxDownloads: 2 });
    await bob.ask('POST', `${SHARES}/${shared.token}/import`, { body: {} });
    await bytesOf(await fetchShare(shared));
    await assertRefused(await fetchShare(shared), 410);
    await bob.refused(410, 2410, 'POST', `${SHARES}/${shared.token}/import`, { body: { path: '/more' } });
  });

  test('is rejected when the share does not allow downloads', async () => {
    const shared = await share({ allowDownload: false, maxDownloads: 5 });
    await assertRefused(await fetchShare(shared), 403);
    assert.equal(await count(shared), 0);
  });

  test('ends when the share expires or the file is recycled', async () => {
    const shared = await share({ expiresAt: new Date(holdall.clock.now() + HOUR).toISOString() });
    await bytesOf(await fetchShare(shared));
    holdall.clock.advance(HOUR);
    await alice.logIn();
    await assertRefused(await fetchShare(shared), 410);
    const gone = await alice.upload('/goes', 'x');
    const other = await share({}, gone);
    await alice.recycle(gone);
    await assertRefused(await fetchShare(other), 404);
  });

  test('spends nothing when the bytes are missing in the store', async () => {
    const lossy = await startHoldall();
    await withoutDirect(lossy);
    const owner = await lossy.register('owner');
    for (const size of [10, 500_000]) {
      const { id } = await owner.upload(`/lost-${size}`, new Uint8Array(size));
      const lost = await owner.ask<ShareSummary>('POST', SHARES, { body: { fileId: id, maxDownloads: 1 } });
      await loseStoredFiles(lossy);
      assert.equal((await lossy.anonymous.fetch('GET', `${SHARES}/${lost.token}?download`)).status, 500);
      const seen = await owner.ask<ShareSummary>('GET', `${SHARES}/${lost.token}`);
      assert.equal(seen.downloadCount, 0);
    }
  });
});

describe('a password before a download', () => {
  test('is read from the query or the header', async () => {
    const shared = await share({ password: 'se same&' });
    await assertRefused(await fetchShare(shared), 403);
    await assertRefused(await fetchShare(shared, {}, { query: 'download&password=wrong' }), 403);
    await assertRefused(await fetchShare(shared, { 'x-share-password': 'wrong' }), 403);
    assert.equal(await count(shared), 0);
    const query = `download&password=${encodeURIComponent('se same&')}`;
    assert.equal((await bytesOf(await fetchShare(shared, {}, { query }))).length, bytes.length);
    assert.equal((await fetchShare(shared, { 'x-share-password': 'se same&' })).status, 200);
    assert.equal(await count(shared), 2);
    await assertRefused(await fetchShare(shared, {}, { method: 'GET', query: 'download' }), 403);
  });

  test('may contain any Unicode letters, even in the header', async () => {
    const shared = await share({ password: 'sésame 芝麻' });
    const utf8 = Buffer.from('sésame 芝麻').toString('latin1');
    assert.equal((await fetchShare(shared, { 'x-share-password': utf8 })).status, 200);
  });
});

describe('after the password was entered', () => {
  const enterPassword = (shared: ShareSummary, password: string) =>
    holdall.anonymous.fetch('POST', `${SHARES}/${shared.token}/verify-password`, { body: { password } });

  test('the plain URL downloads the file, by a cookie for this share that lasts an hour', async () => {
    const shared = await share({ maxDownloads: 2, password: 'sesame' });
    await assertRefused(await enterPassword(shared, 'wrong'), 403);
    const said = await enterPassword(shared, 'sesame');
    const cookie = cookieOf(said);
    assert.match(
      said.headers.get('set-cookie') ?? '',
      new RegExp(`; Max-Age=3600; Path=/api/v2/shares/${shared.token}; HttpOnly; SameSite=Strict$`),
    );
    assert.ok((await bytesOf(await fetchShare(shared, { cookie }))).equals(bytes));
    await assertRefused(await fetchShare(shared, { cookie, 'x-share-password': 'wrong' }), 403);
    const other = await share({ password: 'sesame' });
    await assertRefused(await fetchShare(other, { cookie }), 403);
    await assertRefused(
      await fetchShare(other, { cookie: cookie.replace(`_${shared.id}=`, `_${other.id}=`) }),
      403,
    );
    await bytesOf(await fetchShare(shared, { cookie }));
    await assertRefused(await fetchShare(shared, { cookie }), 410);
    assert.equal(await count(shared), 2);
  });

  test('the password is required again after an hour', async () => {
    const shared = await share({ password: 'sesame' });
    const cookie = cookieOf(await enterPassword(shared, 'sesame'));
    holdall.clock.advance(HOUR + 1);
    await alice.logIn();
    await assertRefused(await fetchShare(shared, { cookie }), 403);
  });

  test('a share without a password sets no cookie', async () => {
    assert.equal((await enterPassword(await share(), 'whatever')).headers.get('set-cookie'), null);
  });

  test('a new password ends the cookies of those who know the old one, even if it is the same', async () => {
    const shared = await share({ password: 'sesame' });
    const cookie = cookieOf(await enterPassword(shared, 'sesame'));
    const begun = await fetchShare(shared, { cookie });
    const download = cookieOf(begun);
    await bytesOf(begun);
    const rest = { range: 'bytes=100000-', cookie: download };
    assert.equal((await bytesOf(await fetchShare(shared, rest))).length, bytes.length - 100_000);
    await alice.ask('PATCH', `${SHARES}/${shared.id}`, { body: { shareName: 'For you' } });
    await bytesOf(await fetchShare(shared, { cookie }));
    for (const password of ['sesame', 'poppy']) {
      await alice.ask('PATCH', `${SHARES}/${shared.id}`, { body: { password } });
      await assertRefused(await fetchShare(shared, { cookie }), 403);
      await assertRefused(await fetchShare(shared, rest), 403);
    }
    const next = cookieOf(await enterPassword(shared, 'poppy'));
    await bytesOf(await fetchShare(shared, { cookie: next }));
  });

  test('the first password of a share ends the downloads that were begun without one', async () => {
    const shared = await share();
    const begun = await fetchShare(shared);
    const cookie = cookieOf(begun);
    await bytesOf(begun);
    await alice.ask('PATCH', `${SHARES}/${shared.id}`, { body: { password: 'sesame' } });
    await assertRefused(await fetchShare(shared, { range: 'bytes=100000-', cookie }), 403);
  });

  test('the cookie of a deleted share opens no later share, whose id is a new one', async () => {
    const deleted = await share({ password: 'sesame' });
    const [, value = ''] = cookieOf(await enterPassword(deleted, 'sesame')).split('=');
    await alice.ask('DELETE', `${SHARES}/${deleted.id}`);
    const later = await share({ password: 'another' });
    assert.ok(later.id > deleted.id);
    for (const { id } of [deleted, later]) {
      await assertRefused(await fetchShare(later, { cookie: `holdall_share_password_${id}=${value}` }), 403);
    }
  });
});

describe('a continued download', () => {
  const rest = { range: 'bytes=100000-' };

  test('with the cookie of its first request spends nothing more', async () => {
    const shared = await share({ maxDownloads: 1, password: 'sesame' });
    const begun = await fetchShare(shared, { 'x-share-password': 'sesame' });
    await bytesOf(begun);
    const cookie = cookieOf(begun);
    assert.match(
      begun.headers.get('set-cookie') ?? '',
      new RegExp(`; Max-Age=86400; Path=/api/v2/shares/${shared.token}; HttpOnly; SameSite=Lax$`),
    );
    for (const start of [100_000, 200_000, bytes.length - 50_000]) {
      const range = `bytes=${start}-`;
      const response = await fetchShare(shared, { range, cookie: `a=b; ${cookie}; c=d` });
      assert.equal(response.status, 206);
      assert.ok((await bytesOf(response)).equals(bytes.subarray(start)));
    }
    assert.equal(await count(shared), 1);
    await assertRefused(await fetchShare(shared, { cookie, range: 'bytes=0-' }), 403);
    await assertRefused(await fetchShare(shared, { cookie, 'x-share-password': 'sesame' }), 410);
    // The cookie only continues a download. A new one requires the password again.
    await assertRefused(await fetchShare(shared, { cookie }), 403);
    assert.equal((await fetchShare(shared, { cookie }, { method: 'HEAD' })).status, 200);
    holdall.clock.advance(25 * HOUR);
    await alice.logIn();
    await assertRefused(await fetchShare(shared, { ...rest, cookie, 'x-share-password': 'sesame' }), 410);
  });

  test('beyond twice the bytes of the file counts as a new download', async () => {
    const shared = await share({ maxDownloads: 2 });
    const cookie = cookieOf(await fetchShare(shared));
    const almostAll = { range: 'bytes=1-', cookie };
    for (let part = 0; part < 2; part += 1) await bytesOf(await fetchShare(shared, almostAll));
    assert.equal(await count(shared), 1);
    await bytesOf(await fetchShare(shared, almostAll));
    assert.equal(await count(shared), 2);
    await assertRefused(await fetchShare(shared, almostAll), 410);
  });

  test('without the cookie, or with another one, counts as a new download', async () => {
    const shared = await share({ maxDownloads: 4 });
    const other = await share({ maxDownloads: 4 });
    const cookie = cookieOf(await fetchShare(other));
    const [name = '', value = ''] = cookie.split('=');
    const ownName = `holdall_share_${shared.id}`;
    const forged = [
      '',
      `${ownName}=${value}`,
      `${ownName}=${holdall.clock.now() + HOUR}.${'A'.repeat(43)}`,
      `${name}=${value}`,
    ];
    for (const sent of forged) {
      assert.equal((await fetchShare(shared, { ...rest, cookie: sent })).status, 206);
    }
    assert.equal(await count(shared), 4);
    await assertRefused(await fetchShare(shared, { ...rest, cookie }), 410);
  });

  test('ends when the share expires', async () => {
    const shared = await share({ expiresAt: new Date(holdall.clock.now() + HOUR).toISOString() });
    const cookie = cookieOf(await fetchShare(shared));
    holdall.clock.advance(HOUR);
    await alice.logIn();
    await assertRefused(await fetchShare(shared, { ...rest, cookie }), 410);
  });
});
