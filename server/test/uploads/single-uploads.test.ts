// tier: default
// runs on: s3
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, before, describe, test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { UploadTarget } from '../../src/http/fields.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { countStatuses, race } from '../support/checks/race.ts';
import { listStoredFiles } from '../support/drive/stored-files.ts';
import { changePolicy } from '../support/storage/change-policy.ts';
import { assertRefused, ok, openSession, putTo, SESSIONS } from '../support/uploads/upload-session.ts';

const HOUR = 3_600_000;
const LEGACY = '/api/files/upload';

const holdall = await startHoldall();
const bytes = randomBytes(100_000);
let alice: Person;

before(async () => {
  alice = await holdall.register('alice');
  await changePolicy(holdall, { multipart_upload: 0 });
});
afterEach(() => checkBooks(holdall));

const initiate = (person: Person, body: object) =>
  person.ask<UploadTarget & { storageName: string }>('POST', `${LEGACY}/initiate`, { body });
const complete = (person: Person, body: object) =>
  person.call<EntryRecord>('POST', `${LEGACY}/complete`, { body });

describe('a session whose file goes to the store in one request', () => {
  test('shows its mode, is prepared, sent and completed', async () => {
    const { session, calls } = await openSession(alice, {
      path: '/a',
      filename: 'x.bin',
      size: bytes.length,
    });
    assert.deepEqual(
      [
        session.uploadMode,
        session.directUpload,
        session.multipartUpload,
        session.chunkSize,
        session.chunkCount,
      ],
      ['DIRECT_SINGLE', true, false, bytes.length, 1],
    );
    const base = `${SESSIONS}/${session.sessionId}`;
    assert.deepEqual(session.strategy, { prepareUrl: `${base}/prepare`, completeUrl: `${base}/complete` });
    const target = ok(await calls.prepare());
    assert.deepEqual([target.direct, target.method, target.storageName], [true, 'PUT', session.objectKey]);
    assertRefused(await calls.complete(), 400);
    await putTo(target, bytes);
    const { fileId } = ok(await calls.complete());
    const file = { id: fileId ?? 0 };
    assert.ok((await alice.download(file)).equals(bytes));
    await holdall.app.cleanUp();
    assert.equal((await alice.details(file)).sha256, createHash('sha256').update(bytes).digest('hex'));
  });

  test('may have no bytes', async () => {
    const { calls } = await openSession(alice, { filename: 'empty', size: 0 });
    await putTo(ok(await calls.prepare()), new Uint8Array());
    const { fileId } = ok(await calls.complete());
    assert.equal((await alice.download({ id: fileId ?? 0 })).length, 0);
  });

  test('enforces the announced length', async () => {
    const { calls } = await openSession(alice, { filename: 'length', size: bytes.length });
    const { uploadUrl, method, headers } = ok(await calls.prepare());
    for (const size of [0, bytes.length - 1, bytes.length + 1]) {
      const response = await fetch(uploadUrl, { method, headers, body: new Uint8Array(size) });
      assert.equal(response.status, 403);
    }
    assertRefused(await calls.complete(), 400);
  });

  test('cannot be overwritten by the same signed URL', async () => {
    const { calls } = await openSession(alice, { filename: 'fixed', size: bytes.length });
    const target = ok(await calls.prepare());
    await putTo(target, bytes);
    const { fileId } = ok(await calls.complete());
    const { uploadUrl, method, headers } = target;
    const again = await fetch(uploadUrl, { method, headers, body: randomBytes(bytes.length) });
    assert.equal(again.status, 412);
    const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'if-none-match');
    assert.equal(others.length, Object.keys(headers).length - 1);
    const without = await fetch(uploadUrl, {
      method,
      headers: Object.fromEntries(others),
      body: randomBytes(bytes.length),
    });
    assert.equal(without.status, 403);
    assert.ok((await alice.download({ id: fileId ?? 0 })).equals(bytes));
  });

  test('becomes FAILED when the store accepted another length, and leaves nothing', async () => {
    const stored = await listStoredFiles(holdall);
    const { session, calls } = await openSession(alice, { filename: 'other', size: bytes.length });
    await holdall.app.store.write(session.objectKey, Readable.from([Buffer.alloc(3)]));
    assertRefused(await calls.complete(), 400);
    assert.equal(ok(await calls.get()).status, 'FAILED');
    for (const answer of [await calls.complete(), await calls.prepare(), await calls.cancel()]) {
      assertRefused(answer, 400);
    }
    assert.deepEqual(await listStoredFiles(holdall), stored);
  });

  test('has no parts', async () => {
    const { calls } = await openSession(alice, { filename: 'parts', size: 10 });
    assertRefused(await calls.preparePart(0), 400);
    assertRefused(await calls.recordPart(0, { etag: 'e', size: 10 }), 400);
    assertRefused(await calls.send('0123456789'), 400);
  });

  test('that is cancelled or expires leaves nothing, even if bytes arrive late', async () => {
    const stored = await listStoredFiles(holdall);
    const { calls } = await openSession(alice, { filename: 'late', size: bytes.length });
    const target = ok(await calls.prepare());
    await putTo(target, bytes);
    ok(await calls.cancel());
    assert.deepEqual(await listStoredFiles(holdall), stored);
    // The signed URL outlives the session for a while.
    await putTo(target, bytes);
    assert.equal((await listStoredFiles(holdall)).length, stored.length + 1);
    holdall.clock.advance(2 * HOUR);
    await holdall.app.cleanUp();
    await alice.logIn();
    assert.deepEqual(await listStoredFiles(holdall), stored);
  });
});

describe('a legacy upload in steps', () => {
  test('goes to the store directly', async () => {
    const target = await initiate(alice, { filename: 'a.pdf', size: bytes.length });
    assert.deepEqual([target.direct, target.method], [true, 'PUT']);
    assert.match(target.storageName, /^blobs\//);
    const body = { path: '/legacy', filename: 'a.pdf', storageName: target.storageName };
    assert.deepEqual(countStatuses([await complete(alice, body)]), { 400: 1 });
    await putTo(target, bytes);
    const file = ok(await complete(alice, body));
    assert.deepEqual(
      [file.path, file.size, file.contentType],
      ['/legacy/a.pdf', bytes.length, 'application/pdf'],
    );
    assert.ok((await alice.download(file)).equals(bytes));
    assert.equal((await complete(alice, { ...body, filename: 'b' })).status, 404);
  });

  test('can be completed once, and only by its creator', async () => {
    const mallory = await holdall.register('mallory');
    const target = await initiate(alice, { filename: 'once', size: bytes.length });
    await putTo(target, bytes);
    const body = { filename: 'once', storageName: target.storageName };
    assert.equal((await complete(mallory, body)).status, 404);
    const answers = await race([alice], 8, (person, index) =>
      complete(person, { ...body, filename: `once-${index}` }),
    );
    assert.deepEqual(countStatuses(answers), { 200: 1, 404: 7 });
  });
});

describe('a download from the store', () => {
  const urlOf = (entry: EntryRecord) =>
    alice.ask<{ url: string; expiresAt: string }>('GET', `/api/files/download/${entry.id}/url`);

  test('is signed, has a file name and ranges, and is never displayed as a page', async () => {
    const file = await alice.upload("/Ünser Bild's (1)+2.html", '<script>alert(1)</script>', 'text/html');
    const { url, expiresAt } = await urlOf(file);
    assert.ok(!url.startsWith(holdall.url));
    const left = Date.parse(expiresAt) - holdall.clock.now();
    assert.ok(left > 295_000 && left <= 301_000, `${left} ms`);
    const response = await fetch(url);
    assert.equal(response.status, 200);
    assert.equal(await response.text(), '<script>alert(1)</script>');
    assert.equal(response.headers.get('content-type'), 'text/html');
    assert.match(
      response.headers.get('content-disposition') ?? '',
      /^attachment; .*filename\*=UTF-8''%C3%9Cnser%20Bild%27s%20%281%29%2B2\.html$/,
    );
    const range = await fetch(url, { headers: { range: 'bytes=1-6' } });
    assert.deepEqual([range.status, await range.text()], [206, 'script']);
  });

  test('is rejected when any signed value was changed', async () => {
    const { url } = await urlOf(await alice.upload('/signed', 'x'));
    for (const changed of [
      url.replace('attachment', 'inline'),
      url.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=600'),
      url.replace(/blobs\/[^?]+/, 'store-id'),
    ]) {
      assert.notEqual(changed, url);
      assert.equal((await fetch(changed)).status, 403);
    }
  });

  for (const name of ['app.apk', 'App.IPA']) {
    test(`of ${name} is sent by the service`, async () => {
      const file = await alice.upload(`/${name}`, bytes);
      const { url } = await urlOf(file);
      assert.ok(url.startsWith(`${holdall.url}/_dl/blobs/`));
      assert.ok(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes));
    });
  }
});
