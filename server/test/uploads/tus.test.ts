// tier: default
// runs on: sqlite
// runs on, with --full: s3
// The tus protocol, request by request: from the first byte to the finished file, or to another end.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, before, describe, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { changePolicy, withoutDirect } from '../support/storage/change-policy.ts';
import {
  askTus,
  assertTus,
  checksumOf,
  countLeft,
  metadataOf,
  PIECE,
  TUS,
  TusUpload,
} from '../support/uploads/tus.ts';
import { ok, openSession, SessionCalls } from '../support/uploads/upload-session.ts';

const HOUR = 3_600_000;
const QUOTA = 50_000_000;
const holdall = await startHoldall({
  env: { HOLDALL_DEFAULT_QUOTA_BYTES: `${QUOTA}` },
});
await withoutDirect(holdall);
let alice: Person;

before(async () => {
  alice = await holdall.register('alice');
});
afterEach(() => checkBooks(holdall));

const status = async (upload: TusUpload) => ok(await new SessionCalls(upload.person, upload.id).get());
const begun = { 'upload-length': '5', 'upload-metadata': metadataOf({ filename: 'x' }) };

describe('a tus upload', () => {
  test('grows chunk by chunk and becomes a file with its last byte', async () => {
    const bytes = randomBytes(300_000);
    const upload = await TusUpload.create(alice, 'Ünï.PDF', bytes.length, {
      path: '/new/place',
      filetype: 'application/pdf',
    });
    assert.match(upload.path, /^\/api\/v2\/files\/tus\/[\da-f-]{36}$/);
    let offset = 0;
    for (const end of [1, 1, 100_000, 299_999, 300_000]) {
      const answer = await upload.patch(offset, bytes.subarray(offset, end));
      assertTus(answer, 204);
      assert.equal(answer.headers.get('upload-offset'), `${end}`);
      const expires = Date.parse(answer.headers.get('upload-expires') ?? '');
      if (end < bytes.length) assert.ok(Math.abs(expires - holdall.clock.now() - 24 * HOUR) < 60_000);
      else assert.equal(answer.headers.get('upload-expires'), null);
      assert.equal(await upload.offset(), end);
      offset = end;
    }
    const { status: ended, fileId } = await status(upload);
    assert.equal(ended, 'COMPLETED');
    const [file] = (await alice.list('/new/place')).items;
    assert.deepEqual([file?.id, file?.filename, file?.contentType], [fileId, 'Ünï.PDF', 'application/pdf']);
    assert.ok((await alice.download({ id: fileId ?? 0 })).equals(bytes));
    // If the answer to the last chunk was lost, the client asks for the offset, or sends an empty chunk.
    assertTus(await upload.patch(bytes.length, ''), 204);
    assertTus(await upload.patch(bytes.length, 'more'), 413);
    assertTus(await upload.patch(0, 'again'), 409);
  });

  test('returns its metadata in every answer to HEAD', async () => {
    const metadata = `${metadataOf({ name: 'a b.txt', contentType: 'text/html' })},is_confidential,Own ww==`;
    const headers = { 'upload-length': '3', 'upload-metadata': metadata };
    const { headers: created } = await askTus(alice, 'POST', TUS, { headers });
    const upload = new TusUpload(alice, created.get('location') ?? '');
    const head = await upload.head();
    assertTus(head, 200);
    assert.equal(head.headers.get('upload-metadata'), metadata);
    assert.equal(head.headers.get('upload-length'), '3');
    assert.equal(head.headers.get('cache-control'), 'no-store');
    assert.equal(head.headers.get('upload-expires'), created.get('upload-expires'));
    assertTus(await upload.patch(0, 'abc'), 204);
    const { fileId } = await status(upload);
    const record = await alice.details({ id: fileId ?? 0 });
    assert.deepEqual([record.filename, record.contentType], ['a b.txt', 'text/html']);
  });

  test('may be created with its first bytes, with all bytes, or without bytes', async () => {
    const create = (filename: string, length: number, body?: string) =>
      askTus(alice, 'POST', TUS, {
        headers: {
          'upload-length': `${length}`,
          'upload-metadata': metadataOf({ filename }),
          ...(body === undefined ? {} : { 'content-type': PIECE }),
        },
        body,
      });
    const some = await create('some', 6, 'abc');
    assertTus(some, 201);
    assert.equal(some.headers.get('upload-offset'), '3');
    assertTus(await new TusUpload(alice, some.headers.get('location') ?? '').patch(3, 'def'), 204);
    const all = await create('all', 3, 'abc');
    assertTus(all, 201);
    assert.equal(all.headers.get('upload-offset'), '3');
    const none = new TusUpload(alice, (await create('none', 0)).headers.get('location') ?? '');
    assert.equal((await status(none)).status, 'COMPLETED');
    const again = new TusUpload(alice, (await create('none too', 0, '')).headers.get('location') ?? '');
    assert.equal(await again.offset(), 0);
    assert.equal((await status(again)).status, 'COMPLETED');
    const names = await alice.names();
    for (const name of ['some', 'all', 'none', 'none too']) assert.ok(names.includes(name), name);
  });

  test('is removed when the bytes sent with its creation are rejected', async () => {
    const left = await countLeft(holdall);
    const headers = { ...begun, 'content-type': PIECE, 'upload-checksum': checksumOf(Buffer.from('other')) };
    assertTus(await askTus(alice, 'POST', TUS, { headers, body: 'abcde' }), 460);
    assertTus(
      await askTus(alice, 'POST', TUS, { headers: { ...begun, 'content-type': PIECE }, body: 'abcdef' }),
      413,
    );
    assert.deepEqual(await countLeft(holdall), left);
  });

  test('accepts methods in a header, for clients without PATCH and DELETE', async () => {
    const upload = await TusUpload.create(alice, 'override', 3);
    const by = (method: string, more: object = {}) => ({
      headers: { 'x-http-method-override': method, ...more },
    });
    const sent = by('PATCH', { 'content-type': PIECE, 'upload-offset': '0' });
    assertTus(await askTus(alice, 'POST', upload.path, { ...sent, body: 'ab' }), 204);
    const head = await askTus(alice, 'POST', upload.path, by('HEAD'));
    assert.deepEqual([head.status, head.headers.get('upload-offset')], [200, '2']);
    assertTus(await askTus(alice, 'POST', upload.path, by('delete')), 204);
    assertTus(await upload.head(), 410);
    for (const odd of ['PUT', 'GET', 'constructor', 'PATCH, DELETE', 'PATCHES', '', 'x'.repeat(8_000)]) {
      const { headers } = by(odd);
      for (const path of [TUS, upload.path]) {
        assertTus(await askTus(alice, 'POST', path, { headers: { ...begun, ...headers } }), 400);
      }
    }
  });

  test('continues a PROXY session, unless its content was sent as a whole', async () => {
    await changePolicy(holdall, { direct_upload: 0, multipart_upload: 0 });
    const { session, calls } = await openSession(alice, { filename: 'announced', size: 6 });
    const upload = new TusUpload(alice, `${TUS}/${session.sessionId}`);
    const head = await upload.head();
    assert.deepEqual([head.status, head.headers.get('upload-metadata')], [200, null]);
    assertTus(await upload.patch(0, 'abc'), 204);
    assert.equal(ok(await calls.get()).runtime?.uploadedBytes, 3);
    assert.equal((await calls.complete()).status, 400);
    assertTus(await upload.patch(3, 'def'), 204);
    assert.equal(ok(await calls.complete()).status, 'COMPLETED');

    const { session: whole, calls: sending } = await openSession(alice, { filename: 'whole', size: 6 });
    const refused = new TusUpload(alice, `${TUS}/${whole.sessionId}`);
    assertTus(await refused.patch(0, 'abc'), 204);
    ok(await sending.send('whole!'));
    assertTus(await refused.patch(3, 'def'), 400);
    assertTus(await refused.head(), 400);
    const { fileId } = ok(await sending.complete());
    assert.equal((await alice.download({ id: fileId ?? 0 })).toString(), 'whole!');
  });

  test('records its client in the event of the new file', async () => {
    const upload = await TusUpload.create(alice, 'told', 1);
    assertTus(await upload.patch(0, 'x', { 'x-service-client-id': 'my phone' }), 204);
    const { fileId } = await status(upload);
    const event = await holdall.app.database.db
      .selectFrom('event')
      .select('client_id')
      .where('entry_id', '=', fileId)
      .executeTakeFirstOrThrow();
    assert.equal(event.client_id, 'my phone');
  });
});

describe('a chunk with a checksum', () => {
  test('is stored if it matches, with each algorithm', async () => {
    const upload = await TusUpload.create(alice, 'checked', 40);
    for (const [index, algorithm] of ['sha1', 'sha256', 'sha512', 'md5'].entries()) {
      const bytes = randomBytes(10);
      const headers = { 'upload-checksum': checksumOf(bytes, algorithm) };
      assertTus(await upload.patch(index * 10, bytes, headers), 204);
    }
    assert.equal((await status(upload)).status, 'COMPLETED');
  });

  test('is 460 if it does not match, and nothing of it is kept, whatever its size', async () => {
    const bytes = randomBytes(19_000_001);
    const upload = await TusUpload.create(alice, 'mismatch', bytes.length);
    assertTus(await upload.patch(0, bytes.subarray(0, 1_000)), 204);
    const wrong = { 'upload-checksum': checksumOf(Buffer.from('other')) };
    for (const end of [bytes.length, 9_000_000, 1_001, 1_000]) {
      assertTus(await upload.patch(1_000, bytes.subarray(1_000, end), wrong), 460);
      assert.equal(await upload.offset(), 1_000);
    }
    const half = bytes.subarray(1_000, 9_500_000);
    assertTus(await upload.patch(1_000, half, { 'upload-checksum': checksumOf(half) }), 204);
    const rest = bytes.subarray(9_500_000);
    assertTus(await upload.patch(9_500_000, rest, { 'upload-checksum': checksumOf(rest) }), 204);
    const { fileId } = await status(upload);
    assert.ok((await alice.download({ id: fileId ?? 0 })).equals(bytes));
    await alice.recycle({ id: fileId ?? 0 });
  });

  test('without bytes stores nothing', async () => {
    const upload = await TusUpload.create(alice, 'empty chunk', 2_000);
    assertTus(await upload.patch(0, randomBytes(1_000)), 204);
    const left = await countLeft(holdall);
    const nothing = new Uint8Array(0);
    assertTus(await upload.patch(1_000, nothing, { 'upload-checksum': checksumOf(nothing) }), 204);
    assert.deepEqual(await countLeft(holdall), left);
    assert.equal(await upload.offset(), 1_000);
    assertTus(await upload.end(), 204);
  });

  test('of an unsupported algorithm, or malformed, is 400', async () => {
    const upload = await TusUpload.create(alice, 'algorithms', 4);
    for (const checksum of ['crc32 AAAAAA==', 'sha1', 'sha1 ***', '', 'sha1 YWJj more']) {
      assertTus(await upload.patch(0, 'four', { 'upload-checksum': checksum }), 400);
    }
    assert.equal(await upload.offset(), 0);
  });
});

describe('an upload that ends without a file', () => {
  test('is gone with all its bytes when it is terminated', async () => {
    const left = await countLeft(holdall);
    const upload = await TusUpload.create(alice, 'terminated', 20_000_000);
    assertTus(await upload.patch(0, randomBytes(9_000_000)), 204);
    assertTus(await upload.end(), 204);
    for (const answer of [await upload.head(), await upload.patch(9_000_000, 'a'), await upload.end()]) {
      assertTus(answer, 410);
    }
    assert.equal((await status(upload)).status, 'CANCELLED');
    assert.deepEqual(await countLeft(holdall), left);
  });

  test('cannot be terminated once it is a file', async () => {
    const upload = await TusUpload.create(alice, 'finished', 1);
    assertTus(await upload.patch(0, 'x'), 204);
    assertTus(await upload.end(), 400);
    assert.equal(await upload.offset(), 1);
  });

  test('is gone when it expires, and leaves nothing', async () => {
    const carol = await holdall.register('carol');
    const left = await countLeft(holdall);
    const upload = await TusUpload.create(carol, 'expired', 20_000_000);
    assertTus(await upload.patch(0, randomBytes(9_000_000)), 204);
    holdall.clock.advance(24 * HOUR);
    await carol.logIn();
    for (const answer of [await upload.head(), await upload.patch(9_000_000, 'a')]) assertTus(answer, 410);
    await holdall.app.cleanUp();
    assertTus(await upload.head(), 410);
    const { stored, partial, open } = await countLeft(holdall);
    assert.ok(stored <= left.stored && partial === 0 && open <= left.open);
    await alice.logIn();
  });
});

describe('the rules of the drive apply', () => {
  test('to the creation of an upload', async () => {
    await alice.upload('/Documents/taken', 'x');
    const cases: readonly [number, number, Record<string, string>][] = [
      [409, 1, { filename: 'taken', path: '/Documents' }],
      [409, 1, { filename: 'a', path: '/Documents/taken' }],
      [400, 1, { filename: 'a/b' }],
      [400, 1, { filename: '..' }],
      [400, 1, { filename: 'a', path: '/../etc' }],
      [413, QUOTA + 1, { filename: 'a' }],
    ];
    for (const [expected, size, metadata] of cases) {
      const headers = { 'upload-length': `${size}`, 'upload-metadata': metadataOf(metadata) };
      assertTus(await askTus(alice, 'POST', TUS, { headers }), expected);
    }
  });

  test('to a name that was taken meanwhile; once it is free, the next HEAD completes the upload', async () => {
    const upload = await TusUpload.create(alice, 'contested', 4, { path: '/Documents' });
    const other = await alice.upload('/Documents/contested', 'other');
    assertTus(await upload.patch(0, 'mine'), 409);
    assertTus(await upload.head(), 409);
    assertTus(await upload.patch(4, ''), 409);
    assert.equal((await status(upload)).status, 'UPLOADING');
    await alice.rename(other, 'moved away');
    assert.equal(await upload.offset(), 4);
    const { fileId } = await status(upload);
    assert.equal((await alice.download({ id: fileId ?? 0 })).toString(), 'mine');
  });

  test('to a quota that was used meanwhile; the bytes stay until there is room', async () => {
    const dave = await holdall.register('dave');
    const other = await dave.upload('/other', new Uint8Array(30_000_000));
    await dave.recycle(other);
    const upload = await TusUpload.create(dave, 'big', 30_000_000);
    assertTus(await upload.patch(0, Buffer.alloc(29_999_999)), 204);
    await dave.restore(other);
    assertTus(await upload.patch(29_999_999, 'x'), 413);
    assertTus(await upload.head(), 413);
    assert.equal(await dave.usedBytes(), 30_000_000);
    await dave.recycle(other);
    assertTus(await upload.patch(30_000_000, ''), 204);
    assert.equal(await dave.usedBytes(), 30_000_000);
  });
});

test('twenty concurrent chunks at one offset create one file with the right bytes', async () => {
  const erin = await holdall.register('erin');
  const bytes = randomBytes(2_000_000);
  const upload = await TusUpload.create(erin, 'raced', bytes.length);
  assertTus(await upload.patch(0, bytes.subarray(0, 1_000)), 204);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => upload.patch(1_000, bytes.subarray(1_000))),
  );
  for (const { status: each } of answers) assert.ok([204, 400, 409, 413, 423].includes(each), `${each}`);
  // The interrupted requests have stored what they had sent.
  const offset = await upload.offset();
  if (offset < bytes.length) assertTus(await upload.patch(offset, bytes.subarray(offset)), 204);
  const files = (await erin.list('/')).items.filter(({ directory }) => !directory);
  assert.deepEqual(
    files.map(({ filename }) => filename),
    ['raced'],
  );
  assert.ok((await erin.download(files[0] ?? { id: 0 })).equals(bytes));
});
