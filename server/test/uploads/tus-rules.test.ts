// tier: default
// runs on: sqlite
// The rules of the tus protocol, request by request: each rule that a client can break, and the resulting
// status.
import assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { askTus, assertTus, metadataOf, PIECE, TUS, TusUpload } from '../support/uploads/tus.ts';

const QUOTA = 50_000_000;
const ORIGIN = 'https://drive.example.org';
const holdall = await startHoldall({
  env: { HOLDALL_DEFAULT_QUOTA_BYTES: `${QUOTA}`, HOLDALL_CORS_ORIGINS: ORIGIN },
});
const begun = { 'upload-length': '5', 'upload-metadata': metadataOf({ filename: 'x' }) };
let alice: Person;

before(async () => {
  alice = await holdall.register('alice');
});
afterEach(() => checkBooks(holdall));

describe('the capabilities of the server', () => {
  test('OPTIONS lists the version, the extensions, the checksums and the maximum size', async () => {
    const answer = await askTus(alice, 'OPTIONS', TUS, { headers: { 'tus-resumable': '0.2.2' } });
    assertTus(answer, 204);
    assert.equal(answer.headers.get('tus-version'), '1.0.0');
    assert.equal(
      answer.headers.get('tus-extension'),
      'creation,creation-with-upload,termination,expiration,checksum',
    );
    assert.equal(answer.headers.get('tus-checksum-algorithm'), 'sha1,sha256,sha512,md5');
    assert.ok(Number(answer.headers.get('tus-max-size')) <= QUOTA);
  });

  test('a browser may send its requests and read the headers it needs (CORS)', async () => {
    const asked = await holdall.anonymous.fetch('OPTIONS', `${TUS}/${crypto.randomUUID()}`, {
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,tus-resumable,upload-offset,content-type',
      },
    });
    assert.equal(asked.status, 204);
    assert.match(asked.headers.get('access-control-allow-methods') ?? '', /PATCH/);
    assert.match(asked.headers.get('access-control-allow-headers') ?? '', /upload-offset/);
    const created = await askTus(alice, 'POST', TUS, { headers: { ...begun, origin: ORIGIN } });
    assertTus(created, 201);
    assert.equal(created.headers.get('access-control-allow-origin'), ORIGIN);
    const exposed = created.headers.get('access-control-expose-headers') ?? '';
    for (const name of ['location', 'upload-offset', 'upload-expires', 'tus-resumable']) {
      assert.ok(exposed.split(', ').includes(name), exposed);
    }
    await new TusUpload(alice, created.headers.get('location') ?? '').end();
  });
});

describe('a request that breaks a rule', () => {
  let upload: TusUpload;
  before(async () => {
    upload = await TusUpload.create(alice, 'rules', 10);
  });

  test('of another version is 412 and has no effect', async () => {
    for (const version of ['0.2.2', '1.0.1', '']) {
      const headers = { ...begun, 'tus-resumable': version };
      const answer = await askTus(alice, 'POST', TUS, { headers });
      assertTus(answer, 412);
      assert.equal(answer.headers.get('tus-version'), '1.0.0');
      assertTus(await upload.patch(0, 'abc', { 'tus-resumable': version }), 412);
    }
    assert.equal(await upload.offset(), 0);
  });

  test('with another content type is 415', async () => {
    for (const type of ['application/octet-stream', 'text/plain', 'application/json', `${PIECE}; a=b`]) {
      assertTus(await upload.patch(0, 'abc', { 'content-type': type }), 415);
    }
    assert.equal(await upload.offset(), 0);
  });

  test('at another offset is 409', async () => {
    for (const offset of [1, 9, 10, 1_000]) assertTus(await upload.patch(offset, 'a'), 409);
  });

  test('at an offset whose bytes have already arrived is 409, and adds nothing', async () => {
    const repeated = await TusUpload.create(alice, 'repeated', 6);
    assertTus(await repeated.patch(0, 'abc'), 204);
    for (const offset of [0, 1, 2]) assertTus(await repeated.patch(offset, 'abc'), 409);
    assert.equal(await repeated.offset(), 3);
    assertTus(await repeated.patch(3, 'def'), 204);
    const file = (await alice.list()).items.find(({ filename }) => filename === 'repeated');
    assert.equal(String(await alice.download(file ?? assert.fail())), 'abcdef');
  });

  test('with more bytes than announced is 413, and nothing is stored', async () => {
    assertTus(await upload.patch(0, 'x'.repeat(11)), 413);
    assert.equal(await upload.offset(), 0);
  });

  test('with malformed numbers is 400', async () => {
    for (const offset of ['-1', '1.5', '0x0', 'abc', '00', '1e1']) {
      assertTus(await upload.patch(offset, 'a'), 400);
    }
    for (const length of ['-1', '1.5', '1e3', 'x', '9007199254740993']) {
      assertTus(await askTus(alice, 'POST', TUS, { headers: { ...begun, 'upload-length': length } }), 400);
    }
  });

  test('without the offset, the size or the name is 400', async () => {
    const headers = { 'content-type': PIECE };
    assertTus(await askTus(alice, 'PATCH', upload.path, { headers, body: 'a' }), 400);
    const { 'upload-length': length, 'upload-metadata': metadata } = begun;
    assertTus(await askTus(alice, 'POST', TUS, { headers: { 'upload-metadata': metadata } }), 400);
    assertTus(await askTus(alice, 'POST', TUS, { headers: { 'upload-length': length } }), 400);
    const nameless = { 'upload-length': length, 'upload-metadata': metadataOf({ filetype: 'text/plain' }) };
    assertTus(await askTus(alice, 'POST', TUS, { headers: nameless }), 400);
  });

  test('for an unsupported extension is 400 and names the reason', async () => {
    const { 'upload-metadata': metadata } = begun;
    const deferred = { 'upload-metadata': metadata, 'upload-defer-length': '1' };
    const answer = await askTus(alice, 'POST', TUS, { headers: deferred });
    assertTus(answer, 400);
    assert.match(answer.msg, /Upload-Length/);
    assertTus(await askTus(alice, 'POST', TUS, { headers: { ...begun, 'upload-concat': 'partial' } }), 400);
  });

  test('with malformed metadata is 400', async () => {
    for (const metadata of ['filename !', 'filename YQ==,filename YQ==', 'é YQ==', 'filename Y Q']) {
      const headers = { 'upload-length': '1', 'upload-metadata': Buffer.from(metadata).toString('latin1') };
      assertTus(await askTus(alice, 'POST', TUS, { headers }), 400);
    }
  });

  test("for an unknown upload, or another account's, is 404", async () => {
    const mallory = await holdall.register('mallory');
    const unknown = new TusUpload(alice, `${TUS}/${crypto.randomUUID()}`);
    for (const other of [upload.by(mallory), unknown]) {
      assertTus(await other.head(), 404);
      assertTus(await other.patch(0, 'evil'), 404);
      assertTus(await other.end(), 404);
    }
    assertTus(await askTus(alice, 'HEAD', `${TUS}/none`), 400);
    assert.equal(await upload.offset(), 0);
  });

  test('without a login, or with one that has ended, is 401', async () => {
    const bob = await holdall.register('bob');
    const his = await TusUpload.create(bob, 'his', 4);
    for (const answer of [
      await askTus(holdall.anonymous, 'OPTIONS', TUS),
      await askTus(holdall.anonymous, 'POST', TUS, { headers: begun }),
      await his.by(holdall.anonymous).head(),
      await his.by(holdall.anonymous).patch(0, 'evil'),
    ]) {
      assertTus(answer, 401);
    }
    await bob.ask('POST', '/api/auth/logout');
    for (const answer of [await his.head(), await his.patch(0, 'four'), await his.end()]) {
      assertTus(answer, 401);
    }
    await bob.logIn();
    assert.equal(await his.offset(), 0);
  });

  test('does not affect the next request', async () => {
    assertTus(await upload.patch(0, '0123456789'), 204);
    assert.equal(await upload.offset(), 10);
  });
});
