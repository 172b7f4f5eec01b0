// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { listStoredFiles, untilStored } from '../support/drive/stored-files.ts';
import { rawRequest, sendAndDisconnect, sendEndless, sendRaw } from '../support/network/raw-request.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';

const UPLOAD = '/api/files/upload';
const QUOTA = 200_000;
const MAX_UPLOAD = 150_000;

const holdall = await startHoldall();
const smallQuota = await startHoldall({
  env: { HOLDALL_DEFAULT_QUOTA_BYTES: `${QUOTA}`, HOLDALL_DEFAULT_MAX_UPLOAD_BYTES: `${MAX_UPLOAD}` },
});
await withoutDirect(holdall);
await withoutDirect(smallQuota);
/** An account whose uploads are all rejected. */
const rejectedUser = await holdall.register('refused');

describe('a legacy upload in steps', () => {
  test('creates a file once it is announced, sent and completed', async () => {
    const alice = await holdall.register('alice');
    const bytes = randomBytes(200_000);
    const body = { path: '/new', filename: 'a.pdf', size: bytes.length, contentType: 'application/pdf' };
    const target = await initiate(alice, body);
    assert.match(target.storageName, /^blobs\/[\w/-]+$/);
    assert.deepEqual(
      { ...target, uploadUrl: '', storageName: '' },
      {
        direct: false,
        uploadUrl: '',
        method: 'PUT',
        headers: { 'Content-Type': 'application/pdf' },
        storageName: '',
      },
    );
    assert.ok(target.uploadUrl.startsWith(holdall.url));
    assert.equal(await put(alice, target, bytes), null);
    assert.deepEqual(await alice.names(), ['Documents', 'Downloads', 'Pictures']);
    assert.equal(await alice.usedBytes(), 0);

    const file = await complete(alice, target, body);
    assert.deepEqual([file.path, file.size, file.contentType], ['/new/a.pdf', 200_000, 'application/pdf']);
    assert.ok((await alice.download(file)).equals(bytes));
    assert.equal(await alice.usedBytes(), 200_000);
  });

  test('stores the bytes unchanged, whatever their content type', async () => {
    const alice = await holdall.register('alice');
    for (const [index, contentType] of ['application/json', 'multipart/form-data', 'x/y', ''].entries()) {
      const target = await initiate(alice, { filename: `${index}`, size: 100 });
      const headers = contentType === '' ? {} : { 'content-type': contentType };
      await alice.ask('PUT', target.uploadUrl, { body: Buffer.from('{"not": json'), headers });
      const file = await complete(alice, target, { filename: `${index}` });
      assert.equal((await alice.download(file)).toString(), '{"not": json');
    }
  });

  test('may have no bytes', async () => {
    const alice = await holdall.register('alice');
    const target = await initiate(alice, { filename: 'empty', size: 0 });
    await put(alice, target, '');
    assert.equal((await complete(alice, target, { filename: 'empty' })).size, 0);
  });

  test('cannot be used by another account, and stays valid for its owner', async () => {
    const [alice, mallory] = [await holdall.register('alice'), await holdall.register('mallory')];
    const target = await initiate(alice, { filename: 'a', size: 10 });
    await refusePut(mallory, 404, target, 'theirs');
    await put(alice, target, 'mine');
    await refusePut(mallory, 404, target, 'theirs');
    await refuseComplete(mallory, 404, target, { filename: 'a' });
    assert.equal((await alice.download(await complete(alice, target, { filename: 'a' }))).toString(), 'mine');
    assert.equal(await mallory.usedBytes(), 0);
  });

  test('can be completed once', async () => {
    const alice = await holdall.register('alice');
    const target = await initiate(alice, { filename: 'a', size: 10 });
    await put(alice, target, 'once');
    const file = await complete(alice, target, { filename: 'a' });
    const stored = await listStoredFiles(holdall);
    await refuseComplete(alice, 404, target, { filename: 'b' });
    await refusePut(alice, 404, target, 'twice');
    assert.equal((await alice.download(file)).toString(), 'once');
    await untilStored(holdall, stored.length);
  });

  test('is completed by one of many concurrent requests', async () => {
    const alice = await holdall.register('alice');
    const target = await initiate(alice, { filename: 'a', size: 10 });
    await put(alice, target, 'once');
    const body = (filename: string) => ({ body: { path: '/', filename, storageName: target.storageName } });
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => alice.call('POST', `${UPLOAD}/complete`, body(name))),
    );
    assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [200, 404, 404, 404]);
    assert.equal((await alice.list()).total, 4);
    assert.equal(await alice.usedBytes(), 4);
  });

  test('cannot be completed before its bytes have arrived', async () => {
    const alice = await holdall.register('alice');
    const target = await initiate(alice, { filename: 'a', size: 10 });
    await refuseComplete(alice, 400, target, { filename: 'a' });
    await put(alice, target, 'now');
    await complete(alice, target, { filename: 'a' });
  });

  test('replaces its bytes when they are sent again, and removes the old ones at once', async () => {
    const alice = await holdall.register('alice');
    const stored = (await listStoredFiles(holdall)).length;
    const target = await initiate(alice, { filename: 'a', size: 10 });
    for (const bytes of ['first', 'second', 'third']) {
      await put(alice, target, bytes);
      assert.equal((await listStoredFiles(holdall)).length, stored + 1);
    }
    const file = await complete(alice, target, { filename: 'a' });
    assert.equal((await alice.download(file)).toString(), 'third');
    assert.equal((await listStoredFiles(holdall)).length, stored + 1);
  });

  test('can be completed under another name when the name is taken', async () => {
    const alice = await holdall.register('alice');
    await alice.upload('/taken', 'first');
    const target = await initiate(alice, { filename: 'taken', size: 10 });
    await put(alice, target, 'second');
    await refuseComplete(alice, 409, target, { filename: 'taken' });
    await refuseComplete(alice, 409, target, { filename: 'below', path: '/taken' });
    await refuseComplete(alice, 400, target, { filename: 'a/b' }, 1000);
    assert.equal(await alice.usedBytes(), 5);
    const file = await complete(alice, target, { filename: 'free' });
    assert.equal((await alice.download(file)).toString(), 'second');
  });

  test('rejects more bytes than announced, and stays open', async () => {
    const alice = await holdall.register('alice');
    const target = await initiate(alice, { filename: 'a', size: 4 });
    await refusePut(alice, 413, target, '12345');
    await refuseComplete(alice, 400, target, { filename: 'a' });
    await put(alice, target, '1234');
    await complete(alice, target, { filename: 'a' });
    assert.equal(await alice.usedBytes(), 4);
  });

  test('rejects a length above the announced one before the first byte', async () => {
    const alice = await holdall.register('alice');
    const target = await initiate(alice, { filename: 'a', size: 4 });
    const { pathname, search } = new URL(target.uploadUrl);
    const head = rawRequest(alice, `PUT ${pathname}${search}`, { 'content-length': 1_000_000 });
    const { status, code } = await sendRaw(alice, head);
    assert.deepEqual([status, code], [413, 1003]);
  });

  test('rejects more bytes than announced while they arrive', async () => {
    const alice = await holdall.register('alice');
    const target = await initiate(alice, { filename: 'a', size: 4 });
    const { pathname, search } = new URL(target.uploadUrl);
    const { status, code, sentBytes } = await sendEndless(alice, `PUT ${pathname}${search}`, {}, '12345');
    assert.deepEqual([status, code], [413, 1003]);
    assert.ok(sentBytes < 20_000_000, `${sentBytes} bytes were sent`);
  });

  test('has the size of the bytes sent when they are fewer than announced', async () => {
    const alice = await holdall.register('alice');
    const target = await initiate(alice, { filename: 'a', size: 100 });
    await put(alice, target, 'few');
    const file = await complete(alice, target, { filename: 'a', size: 100 });
    assert.equal(file.size, 3);
    assert.equal(await alice.usedBytes(), 3);
  });

  test('is rejected at its announcement when it exceeds the quota', async () => {
    const alice = await smallQuota.register('alice');
    const announce = (size: number) =>
      alice.refused(413, 1003, 'POST', `${UPLOAD}/initiate`, { body: { filename: 'a', size } });
    await announce(MAX_UPLOAD + 1);
    await alice.upload('/1', randomBytes(MAX_UPLOAD));
    await alice.upload('/2', randomBytes(QUOTA - MAX_UPLOAD - 10));
    await announce(11);
    await initiate(alice, { filename: 'a', size: 10 });
  });

  test('must fit the quota together with all other announced uploads', async () => {
    const alice = await smallQuota.register('alice');
    const announce = (size: number) =>
      alice.call('POST', `${UPLOAD}/initiate`, { body: { filename: 'a', size } });
    const answers = await Promise.all(Array.from({ length: 10 }, () => announce(60_000)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, ...Array(7).fill(413)]);
    assert.equal((await announce(20_001)).status, 413);
    assert.equal((await announce(0)).status, 200);
    const target = await initiate(alice, { filename: 'a', size: 20_000 });
    assert.equal((await announce(1)).status, 413);
    await put(alice, target, 'few');
    await complete(alice, target, { filename: 'a' });
    assert.equal((await announce(20_000)).status, 413);
    assert.equal((await announce(19_997)).status, 200);
    await (await smallQuota.register('bob')).ask('POST', `${UPLOAD}/initiate`, {
      body: { filename: 'a', size: MAX_UPLOAD },
    });
  });

  test('no longer counts against the quota once it has expired', async () => {
    const alice = await smallQuota.register('alice');
    await initiate(alice, { filename: 'a', size: MAX_UPLOAD });
    const body = { filename: 'b', size: MAX_UPLOAD };
    await alice.refused(413, 1003, 'POST', `${UPLOAD}/initiate`, { body });
    smallQuota.clock.advance(24 * 3_600_000);
    await alice.logIn();
    await initiate(alice, body);
  });

  test('is rejected at completion when it no longer fits, and can be completed later', async () => {
    const alice = await smallQuota.register('alice');
    const target = await initiate(alice, { filename: 'a', size: 100_000 });
    await put(alice, target, randomBytes(100_000));
    const other = await alice.upload('/other', randomBytes(140_000));
    await refuseComplete(alice, 413, target, { filename: 'a' });
    assert.equal(await alice.usedBytes(), 140_000);
    await alice.recycle(other);
    await complete(alice, target, { filename: 'a' });
    assert.equal(await alice.usedBytes(), 100_000);
  });

  test('is removed after a day with its bytes, if it is never completed', async () => {
    const alice = await holdall.register('alice');
    const stored = (await listStoredFiles(holdall)).length;
    const target = await initiate(alice, { filename: 'a', size: 10 });
    await put(alice, target, 'bytes');
    holdall.clock.advance(24 * 3_600_000 - 60_000);
    await holdall.app.cleanUp();
    assert.equal((await listStoredFiles(holdall)).length, stored + 1);
    holdall.clock.advance(60_000);
    await alice.logIn();
    await refuseComplete(alice, 404, target, { filename: 'a' });
    await refusePut(alice, 404, target, 'again');
    await holdall.app.cleanUp();
    assert.equal((await listStoredFiles(holdall)).length, stored);
  });

  const wrong: readonly [string, object][] = [
    ['no name', { size: 1 }],
    ['no size', { filename: 'a' }],
    ['a size below 0', { filename: 'a', size: -1 }],
    ['half a byte', { filename: 'a', size: 1.5 }],
    ['a size in text', { filename: 'a', size: '1' }],
    ['a size beyond all numbers', { filename: 'a', size: 2 ** 53 }],
    ['a name that cannot be', { filename: '..', size: 1 }],
    ['a path that cannot be', { filename: 'a', path: '/../', size: 1 }],
    ['a type that is no text', { filename: 'a', size: 1, contentType: 5 }],
  ];
  for (const [what, body] of wrong) {
    test(`${what} cannot be announced`, async () => {
      await rejectedUser.logIn();
      await rejectedUser.refused(400, 1000, 'POST', `${UPLOAD}/initiate`, { body });
    });
  }

  test('is not found by an unknown key', async () => {
    const alice = await holdall.register('alice');
    const made = [
      '',
      'x',
      'blobs/',
      'blobs/../../holdall.db',
      '../holdall.db',
      '/etc/passwd',
      'x\u0001y',
      '%',
    ];
    for (const storageName of made) {
      const target = { storageName, uploadUrl: `${UPLOAD}/content?${new URLSearchParams({ storageName })}` };
      await refusePut(alice, 404, target, 'x');
      await refuseComplete(alice, 404, target, { filename: 'a' });
    }
    await alice.refused(400, 1000, 'PUT', `${UPLOAD}/content`, { body: Buffer.from('x') });
    await alice.refused(400, 1000, 'POST', `${UPLOAD}/complete`, { body: { filename: 'a' } });
  });

  test('keeps its earlier bytes when a later request is interrupted', async () => {
    const alice = await holdall.register('alice');
    const target = await initiate(alice, { filename: 'cut.txt', size: 300_000 });
    await put(alice, target, 'the first bytes');
    const stored = await listStoredFiles(holdall);
    const { pathname, search } = new URL(target.uploadUrl);
    const request = Buffer.concat([
      rawRequest(alice, `PUT ${pathname}${search}`, { 'content-length': 300_000 }),
      Buffer.alloc(299_999),
    ]);
    const head = request.length - 299_999;
    for (const end of [head, head + 1, head + 1_000, head + 65_536, head + 200_000, request.length])
      await sendAndDisconnect(alice, request.subarray(0, end));
    await untilStored(holdall, stored.length);
    const file = await complete(alice, target, { filename: 'cut.txt' });
    assert.equal((await alice.download(file)).toString(), 'the first bytes');
  });
});

interface Target {
  readonly uploadUrl: string;
  readonly storageName: string;
}

function initiate(person: Person, body: object): Promise<Target> {
  return person.ask('POST', `${UPLOAD}/initiate`, { body });
}

function put(person: Person, target: Target, bytes: string | Buffer): Promise<unknown> {
  return person.ask('PUT', target.uploadUrl, { body: Buffer.from(bytes) });
}

function refusePut(person: Person, status: number, target: Target, bytes: string) {
  return person.refused(status, 1003, 'PUT', target.uploadUrl, { body: Buffer.from(bytes) });
}

function complete(person: Person, { storageName }: Target, place: object): Promise<EntryRecord> {
  return person.ask('POST', `${UPLOAD}/complete`, { body: { path: '/', ...place, storageName } });
}

function refuseComplete(person: Person, status: number, { storageName }: Target, place: object, code = 1003) {
  const body = { path: '/', ...place, storageName };
  return person.refused(status, code, 'POST', `${UPLOAD}/complete`, { body });
}
