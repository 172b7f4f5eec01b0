// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, before, describe, test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { newestOf, readChanges } from '../support/events/changes.ts';
import {
  beginTus,
  FOLDER_LINKS,
  linkFolder,
  ownLink,
  Visitor,
} from '../support/folder-links/folder-links.ts';
import { askTus, assertTus, metadataOf, PIECE, TUS, TusUpload } from '../support/uploads/tus.ts';

const QUOTA = 5_000_000;
const DAY = 86_400_000;

const holdall = await startHoldall({ env: { HOLDALL_DEFAULT_QUOTA_BYTES: String(QUOTA) } });
let alice: Person;

before(async () => {
  alice = await holdall.register('alice');
});
afterEach(() => checkBooks(holdall));

async function open(path: string, mode: string, options: object = {}) {
  const directory = await alice.mkdir(path);
  const link = await linkFolder(alice, directory, { mode, ...options });
  return { directory, link, visitor: new Visitor(holdall.url, link) };
}

describe('a resumable upload through a link', () => {
  test('grows piece by piece and becomes a file of the owner, with an event', async () => {
    const { link, visitor } = await open('/inbox', 'BOTH', { maxFiles: 1, maxBytes: 400_000 });
    const cursor = await newestOf(alice);
    const bytes = randomBytes(300_000);
    const modifiedAt = '2001-02-03T04:05:06.000Z';
    const more = { path: '/from/me', sender: 'Grandma', modifiedAt };
    const upload = await beginTus(visitor, 'film.mp4', bytes.length, more);
    assert.match(upload.path, new RegExp(`^${FOLDER_LINKS}/${link.token}/tus/[\\da-f-]{36}$`));
    assert.equal((await ownLink(alice, link)).receivedFiles, 0);
    assertTus(await upload.patch(0, bytes.subarray(0, 100_000)), 204);
    assert.equal(await upload.offset(), 100_000);
    assertTus(await upload.patch(100_000, bytes.subarray(100_000)), 204);
    const [file] = (await alice.list('/inbox/from/me')).items;
    assert.deepEqual(await alice.download(file as EntryRecord), bytes);
    assert.equal(file?.modifiedAt, modifiedAt);
    assert.equal(await upload.offset(), 300_000);
    const { receivedFiles, receivedBytes } = await ownLink(alice, link);
    assert.deepEqual([receivedFiles, receivedBytes], [1, 300_000]);
    const { items } = await readChanges(alice, { cursor });
    const last = items.findLast(({ eventType }) => eventType === 'CREATED');
    assert.deepEqual([last?.toPath, last?.payload.sender], ['/inbox/from/me/film.mp4', 'Grandma']);
  });

  test('gets a number if its name is taken', async () => {
    const { visitor } = await open('/taken', 'UPLOAD');
    await alice.upload('/taken/a.txt', 'the first');
    const upload = await beginTus(visitor, 'a.txt', 3);
    assertTus(await upload.patch(0, 'new'), 204);
    assert.deepEqual(await alice.names('/taken'), ['a (2).txt', 'a.txt']);
    const { headers } = await upload.head();
    assert.doesNotMatch(JSON.stringify([...headers]), /\(2\)/);
  });

  test('needs one request for an empty file, or with the bytes in its first request', async () => {
    const { visitor } = await open('/at-once', 'UPLOAD');
    await beginTus(visitor, 'empty', 0);
    const headers = {
      'upload-length': '5',
      'upload-metadata': metadataOf({ filename: 'x' }),
      'content-type': PIECE,
    };
    assertTus(await askTus(visitor, 'POST', visitor.at('/tus'), { headers, body: 'bytes' }), 201);
    assert.deepEqual(await alice.names('/at-once'), ['empty', 'x']);
  });

  test('can be cancelled', async () => {
    const { visitor } = await open('/cancelled', 'UPLOAD');
    const upload = await beginTus(visitor, 'a', 3);
    await upload.patch(0, 'ab');
    assertTus(await askTus(visitor, 'DELETE', upload.path), 204);
    assert.equal((await upload.patch(2, 'c')).status, 410);
    assert.deepEqual(await alice.names('/cancelled'), []);
  });
});

describe('a session', () => {
  test('is found only at its own link, not by the owner or at other links', async () => {
    const { directory, visitor } = await open('/own', 'UPLOAD');
    const upload = await beginTus(visitor, 'a', 3);
    const other = new Visitor(holdall.url, await linkFolder(alice, directory, { mode: 'UPLOAD' }));
    assert.equal((await askTus(other, 'HEAD', other.at(`/tus/${upload.id}`))).status, 404);
    assert.equal((await new TusUpload(alice, `${TUS}/${upload.id}`).patch(0, 'abc')).status, 404);
    await alice.refused(404, 2404, 'GET', `/api/v2/files/upload-sessions/${upload.id}`);
    await alice.refused(404, 2404, 'DELETE', `/api/v2/files/upload-sessions/${upload.id}`);
    const own = await TusUpload.create(alice, 'mine', 3);
    assert.equal((await askTus(visitor, 'HEAD', visitor.at(`/tus/${own.id}`))).status, 404);
    assertTus(await upload.patch(0, 'abc'), 204);
    assertTus(await own.patch(0, 'abc'), 204);
  });

  test('counts against the quota for visitors until it ends, but never stops the owner', async () => {
    const bob = await holdall.register('bob');
    const link = await linkFolder(bob, null, { mode: 'UPLOAD' });
    const visitor = new Visitor(holdall.url, link);
    const upload = await beginTus(visitor, 'large', QUOTA - 10);
    await upload.patch(0, 'some bytes');
    assert.equal((await visitor.send('small', 'x'.repeat(11))).status, 200);
    const begun = { 'upload-length': '100', 'upload-metadata': metadataOf({ filename: 'x' }) };
    const beginAs = async (person: Person | Visitor, path: string) =>
      (await askTus(person, 'POST', path, { headers: begun })).status;
    assert.equal(await beginAs(visitor, visitor.at('/tus')), 413);
    assert.equal((await visitor.send('large form', new Uint8Array(1_000_000))).status, 413);
    assert.equal(await beginAs(bob, TUS), 201);
    await bob.upload('/one request', Buffer.alloc(1_000_000));
    const other = new Visitor(holdall.url, await linkFolder(bob, null, { mode: 'UPLOAD' }));
    assert.equal(await beginAs(other, other.at('/tus')), 413);
    await bob.ask('DELETE', `${FOLDER_LINKS}/${link.id}`);
    assert.equal((await upload.patch(10, 'more')).status, 404);
    assert.equal(await beginAs(other, other.at('/tus')), 201);
  });

  test('expires like other upload sessions', async () => {
    const { visitor } = await open('/expired', 'UPLOAD');
    const upload = await beginTus(visitor, 'a', 3);
    holdall.clock.advance(DAY + 1);
    assert.equal((await upload.patch(0, 'abc')).status, 410);
    await alice.logIn();
    await holdall.app.cleanUp();
  });
});

describe('a resumable upload is rejected', () => {
  const begin = async (visitor: Visitor, size: number, values: Record<string, string> = {}) => {
    const headers = {
      'upload-length': String(size),
      'upload-metadata': metadataOf({ filename: 'a', ...values }),
    };
    return (await askTus(visitor, 'POST', visitor.at('/tus'), { headers })).status;
  };

  test('without the password, and by links that accept no files', async () => {
    const { visitor } = await open('/locked', 'UPLOAD', { password: 'sesame' });
    assert.equal(await begin(visitor, 1), 403);
    await visitor.enterPassword('sesame');
    assert.equal(await begin(visitor, 1), 201);
    assert.equal(await begin((await open('/viewed', 'VIEW')).visitor, 1), 403);
  });

  test('with a path in mode UPLOAD, or with an invalid name, path or sender', async () => {
    const { visitor } = await open('/blind', 'UPLOAD');
    for (const path of ['/', '/a']) assert.equal(await begin(visitor, 1, { path }), 400);
    const both = (await open('/seen', 'BOTH')).visitor;
    await both.send('file', 'x');
    for (const wrong of [{ path: '/../x' }, { filename: '..' }, { sender: 'x'.repeat(65) }]) {
      assert.equal(await begin(both, 1, wrong as Record<string, string>), 400);
    }
    assert.equal(await begin(both, 1, { path: '/file' }), 409);
    assert.equal(await begin(both, 1, { filename: 'file' }), 201);
  });

  test('over the limits of the link, when it begins or when it ends', async () => {
    const { visitor } = await open('/limited', 'UPLOAD', { maxFiles: 1, maxBytes: 10 });
    assert.equal(await begin(visitor, 11), 413);
    const [one, two] = [await beginTus(visitor, 'one', 5), (await open('/other', 'UPLOAD')).visitor];
    assert.equal((await visitor.send('form', 'x')).status, 200);
    assert.equal((await one.patch(0, '01234')).status, 413);
    assert.equal(await begin(visitor, 1), 413);
    assert.equal(await begin(two, 1), 201);
    assert.deepEqual(await alice.names('/limited'), ['form']);
  });

  test('when the link has expired or its directory is gone', async () => {
    const expiresAt = new Date(holdall.clock.now() + 60_000).toISOString();
    const first = await open('/expiring', 'UPLOAD', { expiresAt });
    const late = await beginTus(first.visitor, 'a', 3);
    holdall.clock.advance(60_001);
    assert.equal((await late.patch(0, 'abc')).status, 410);
    const { directory, visitor } = await open('/going', 'UPLOAD');
    const upload = await beginTus(visitor, 'a', 3);
    await alice.recycle(directory);
    assert.equal((await upload.patch(0, 'abc')).status, 404);
    await alice.restore(directory);
    assertTus(await upload.patch(0, 'abc'), 204);
  });
});

describe('a file that does not fit the owner’s quota', () => {
  const NEUTRAL = 'This file cannot be sent through this link.';

  test('is rejected without revealing why, both at its begin and in a single request', async () => {
    const carol = await holdall.register('carol');
    const visitor = new Visitor(holdall.url, await linkFolder(carol, null, { mode: 'UPLOAD' }));
    const begin = (size: number) =>
      askTus(visitor, 'POST', visitor.at('/tus'), {
        headers: { 'upload-length': `${size}`, 'upload-metadata': metadataOf({ filename: 'x' }) },
      });
    const large = await begin(QUOTA + 1);
    assert.deepEqual([large.status, large.msg], [413, NEUTRAL]);
    await beginTus(visitor, 'reserved', QUOTA - 100);
    const small = await begin(200);
    assert.deepEqual([small.status, small.msg], [413, NEUTRAL]);
    const { status, msg } = await visitor.send('form', new Uint8Array(QUOTA + 1));
    assert.deepEqual([status, msg], [413, NEUTRAL]);
    const limited = (await open('/told why', 'UPLOAD', { maxBytes: 10 })).visitor;
    assert.match((await limited.send('form', 'x'.repeat(20))).msg, /takes 10 B more at most/);
  });
});

describe('OPTIONS', () => {
  test('tells what a link accepts, but not how much space its owner has', async () => {
    const limited = (await open('/told', 'UPLOAD', { maxBytes: 1_000 })).visitor;
    const sizeOf = async (visitor: Visitor) =>
      (await askTus(visitor, 'OPTIONS', visitor.at('/tus'))).headers.get('tus-max-size');
    assert.equal(await sizeOf(limited), '1000');
    assert.equal(await sizeOf((await open('/untold', 'UPLOAD')).visitor), null);
  });
});

test('concurrent uploads that end together store exactly as many files as the link accepts', async () => {
  const { link, visitor } = await open('/raced', 'UPLOAD');
  const uploads = await Promise.all(Array.from({ length: 12 }, () => beginTus(visitor, 'same.txt', 3)));
  await alice.ask('PATCH', `${FOLDER_LINKS}/${link.id}`, { body: { maxFiles: 4 } });
  const answers = await Promise.all(uploads.map((upload) => upload.patch(0, 'abc')));
  const stored = answers.filter(({ status }) => status === 204).length;
  assert.deepEqual([stored, answers.filter(({ status }) => status === 413).length], [4, 8]);
  assert.equal((await alice.names('/raced')).length, 4);
  assert.equal((await ownLink(alice, link)).receivedFiles, 4);
});
