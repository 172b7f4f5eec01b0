// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'node:test';
import { fc } from '../../../tools/testing/fast-check.ts';
import { isFull } from '../../../tools/testing/tiers.ts';
import type { EntryRecord, RecentRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { newestOf, readChanges } from '../support/events/changes.ts';
import { linkFolder, ownLink, Visitor } from '../support/folder-links/folder-links.ts';
import { makePng } from '../support/media/pictures.ts';
import { waitFor } from '../support/tasks/tasks.ts';

const QUOTA = 100_000;

const holdall = await startHoldall({ env: { HOLDALL_DEFAULT_QUOTA_BYTES: String(QUOTA) } });
let alice: Person;

before(async () => {
  alice = await holdall.register('alice');
});
afterEach(() => checkBooks(holdall));

/** Creates a directory with a link, and a visitor with the link. */
async function open(path: string, mode: string, options: object = {}) {
  const directory = await alice.mkdir(path);
  const link = await linkFolder(alice, directory, { mode, ...options });
  return { directory, link, visitor: new Visitor(holdall.url, link) };
}

describe('a link with the mode UPLOAD', () => {
  test('stores a file that belongs to the owner', async () => {
    const { link, visitor } = await open('/inbox', 'UPLOAD');
    const before = await alice.usedBytes();
    const answer = await visitor.send('letter.txt', 'Dear Alice');
    assert.deepEqual([answer.status, answer.data], [200, { name: 'letter.txt', size: 10 }]);
    const [file] = (await alice.list('/inbox')).items;
    assert.ok(file);
    assert.equal((await alice.download(file)).toString(), 'Dear Alice');
    assert.equal(await alice.usedBytes(), before + 10);
    const { receivedFiles, receivedBytes } = await ownLink(alice, link);
    assert.deepEqual([receivedFiles, receivedBytes], [1, 10]);
  });

  test('does not reveal that a file or directory already has the name', async () => {
    const { directory, visitor } = await open('/blind', 'UPLOAD');
    await alice.upload('/blind/taken.txt', 'the first');
    await alice.mkdir('/blind/folder');
    const free = await visitor.send('free.txt', 'x');
    for (const name of ['taken.txt', 'taken.txt', 'folder']) {
      const answer = await visitor.send(name, 'x');
      assert.deepEqual(
        { ...answer, data: { ...answer.data, name: 'free.txt' }, headers: [...answer.headers.keys()] },
        { ...free, headers: [...free.headers.keys()] },
      );
      assert.equal(answer.data.name, name);
    }
    assert.deepEqual(await alice.names(directory.path), [
      ...['folder', 'folder (2)', 'free.txt', 'taken (2).txt', 'taken (3).txt', 'taken.txt'],
    ]);
    const first = (await alice.list('/blind')).items.find(({ filename }) => filename === 'taken.txt');
    assert.equal((await alice.download(first as EntryRecord)).toString(), 'the first');
  });

  test('accepts no path', async () => {
    const { visitor } = await open('/flat', 'UPLOAD');
    for (const path of ['/', '/deeper', 'deeper', '..']) {
      assert.equal((await visitor.send('a.txt', 'a', { path })).status, 400, path);
    }
    assert.equal((await visitor.send('a.txt', 'a', { path: '' })).status, 200);
    assert.deepEqual(await alice.names('/flat'), ['a.txt']);
  });
});

describe('a link with the mode BOTH', () => {
  test('stores files at paths below it, creates missing directories, and returns the name', async () => {
    const { visitor } = await open('/shared', 'BOTH');
    const send = (path: string) => visitor.send('a.txt', 'a', { path });
    assert.deepEqual((await send('/one/two')).data, { name: 'a.txt', size: 1 });
    assert.deepEqual((await send('one/two/')).data, { name: 'a (2).txt', size: 1 });
    assert.equal((await visitor.send('b.txt', 'b')).data.name, 'b.txt');
    assert.deepEqual(await visitor.namesAt('/one/two'), ['a (2).txt', 'a.txt']);
    assert.deepEqual(await alice.names('/shared'), ['one', 'b.txt']);
    assert.equal((await send('/b.txt')).status, 409);
    assert.equal((await visitor.send('c.txt', 'c', { path: '/one/two/a.txt/x' })).status, 409);
  });

  test('of the whole drive stores files in its root', async () => {
    const bob = await holdall.register('bob');
    const visitor = new Visitor(holdall.url, await linkFolder(bob, null, { mode: 'BOTH' }));
    await visitor.send('top.txt', 'x');
    await visitor.send('below.txt', 'x', { path: '/new' });
    assert.ok((await bob.names()).includes('top.txt'));
    assert.deepEqual(await bob.names('/new'), ['below.txt']);
  });

  test('keeps the modification time', async () => {
    const { visitor } = await open('/times', 'BOTH');
    const modifiedAt = '2001-02-03T04:05:06.000Z';
    await visitor.send('old.txt', 'x', { modifiedAt });
    assert.equal((await visitor.entries()).items[0]?.modifiedAt, modifiedAt);
    assert.equal((await visitor.send('old.txt', 'x', { modifiedAt: 'yesterday' })).status, 400);
  });
});

describe('an upload', () => {
  test('sends the owner an event with the sender', async () => {
    const { visitor } = await open('/events', 'BOTH');
    const cursor = await newestOf(alice);
    await visitor.send('a.txt', 'a', { sender: '  Grandma ', path: '/new' });
    await visitor.send('b.txt', 'b');
    await alice.upload('/events/c.txt', 'c');
    const { items } = await readChanges(alice, { cursor });
    assert.deepEqual(
      items.map(({ eventType, toPath, clientId, payload }) => [eventType, toPath, clientId, payload.sender]),
      [
        ['CREATED', '/events/new', null, 'Grandma'],
        ['CREATED', '/events/new/a.txt', null, 'Grandma'],
        ['CREATED', '/events/b.txt', null, null],
        ['CREATED', '/events/c.txt', null, undefined],
      ],
    );
  });

  test('tells only the owner who sent the file, not those who get a copy of it', async () => {
    const { visitor } = await open('/senders', 'BOTH');
    await visitor.send('a.png', makePng(8, 8), { sender: 'Grandma' });
    await visitor.send('b.txt', 'b');
    const [picture, text] = (await alice.list('/senders')).items;
    assert.ok(picture !== undefined && text !== undefined);
    const { metadata } = await waitFor(
      () => alice.details(picture),
      (details) => details.metadata['media:width'] === '8',
      'the metadata of the picture',
    );
    assert.deepEqual([metadata['link:title'], metadata['link:sender']], ['senders', 'Grandma']);
    assert.deepEqual((await alice.details(text)).metadata, { 'link:title': 'senders' });
    const originOf = async (file: EntryRecord) =>
      (await alice.ask<RecentRecord[]>('GET', '/api/files/recent')).find(({ id }) => id === file.id)
        ?.receivedThrough;
    assert.deepEqual(await originOf(picture), { title: 'senders', sender: 'Grandma' });
    assert.deepEqual(await originOf(text), { title: 'senders', sender: null });
    assert.equal(await originOf(await alice.upload('/own.txt', 'mine')), null);
    await alice.mkdir('/copies');
    const copy = await alice.details(await alice.copy(picture, '/copies'));
    assert.deepEqual([copy.metadata['media:width'], copy.metadata['link:sender']], ['8', undefined]);
    await alice.ask('PUT', `/api/v2/files/${text.id}/content`, { body: 'new' });
    assert.deepEqual((await alice.details(text)).metadata, {});
  });

  test('is rejected with an invalid name, sender or form, and stores nothing', async () => {
    const { link, visitor } = await open('/refused', 'UPLOAD');
    const before = await alice.state();
    for (const name of ['..', 'a/b', 'a\\b', ' ', 'x'.repeat(256)]) {
      assert.equal((await visitor.send(name, 'x')).status, 400, name);
    }
    assert.equal((await visitor.send('a.txt', 'x', { sender: 'x'.repeat(65) })).status, 400);
    const post = (body: unknown) => visitor.call('POST', visitor.at('/uploads'), { body });
    assert.equal((await post({ file: 'x' })).status, 400);
    assert.equal((await post(new FormData())).status, 400);
    assert.deepEqual(await alice.state(), before);
    assert.equal((await ownLink(alice, link)).receivedFiles, 0);
  });

  test('is rejected if the link only shows files, has expired or is deleted', async () => {
    const { link, directory, visitor } = await open('/closed', 'VIEW');
    assert.equal((await visitor.send('a.txt', 'x')).status, 403);
    const change = (body: object) => alice.ask('PATCH', `/api/v2/folder-links/${link.id}`, { body });
    const expiresAt = new Date(holdall.clock.now() + 60_000).toISOString();
    await change({ mode: 'BOTH', expiresAt });
    assert.equal((await visitor.send('a.txt', 'x')).status, 200);
    holdall.clock.advance(60_001);
    assert.equal((await visitor.send('b.txt', 'x')).status, 410);
    await change({ expiresAt: null });
    await alice.recycle(directory);
    assert.equal((await visitor.send('b.txt', 'x')).status, 404);
    await alice.restore(directory);
    await alice.ask('DELETE', `/api/v2/folder-links/${link.id}`);
    assert.equal((await visitor.send('b.txt', 'x')).status, 404);
    assert.deepEqual(await alice.names('/closed'), ['a.txt']);
  });

  test('needs the password', async () => {
    const { visitor } = await open('/locked', 'UPLOAD', { password: 'sesame' });
    assert.equal((await visitor.send('a.txt', 'x')).status, 403);
    await visitor.enterPassword('sesame');
    assert.equal((await visitor.send('a.txt', 'x')).status, 200);
  });
});

describe('the limits', () => {
  test('of a link reject files that are too large or too many', async () => {
    const { visitor } = await open('/limited', 'UPLOAD', { maxFiles: 3, maxBytes: 100 });
    assert.equal((await visitor.send('a', 'x'.repeat(60))).status, 200);
    const refused = await visitor.send('b', 'x'.repeat(41));
    assert.deepEqual([refused.status, refused.msg], [413, 'This link takes 40 B more at most.']);
    assert.equal((await visitor.send('c', 'x'.repeat(40))).status, 200);
    const { remainingFiles, remainingBytes } = await visitor.see();
    assert.deepEqual([remainingFiles, remainingBytes], [1, 0]);
    assert.equal((await visitor.send('d', '')).status, 200);
    const last = await visitor.send('e', '');
    assert.deepEqual([last.status, last.msg], [413, 'This link takes no more files.']);
    assert.deepEqual(await alice.names('/limited'), ['a', 'c', 'd']);
  });

  test('of a link count received files even if the owner has moved them away', async () => {
    const { link, visitor } = await open('/emptied', 'UPLOAD', { maxFiles: 1 });
    await visitor.send('a', 'x');
    const [file] = (await alice.list('/emptied')).items;
    await alice.recycle(file as EntryRecord);
    assert.equal((await visitor.send('b', 'x')).status, 413);
    await alice.ask('PATCH', `/api/v2/folder-links/${link.id}`, { body: { maxFiles: null } });
    assert.equal((await visitor.send('b', 'x')).status, 200);
  });

  test('of the owner apply to visitors', async () => {
    const carol = await holdall.register('carol');
    const visitor = new Visitor(holdall.url, await linkFolder(carol, null, { mode: 'UPLOAD' }));
    assert.equal((await visitor.send('large', 'x'.repeat(QUOTA + 1))).status, 413);
    const admin = await holdall.admin();
    await admin.ask('PATCH', `/api/admin/users/${carol.id}/max-upload-size`, {
      body: { maxUploadSizeBytes: 10 },
    });
    assert.equal((await visitor.send('eleven', 'x'.repeat(11))).status, 413);
    assert.equal((await visitor.send('ten', 'x'.repeat(10))).status, 200);
    assert.equal(await carol.usedBytes(), 10);
  });
});

describe('no spelling of a path', () => {
  const PIECES = ['..', '.', '/', '//', '\\', '%2e%2e', '%2f', '..;', '\uff0e\uff0e', 'inside', 'x', ' '];

  test('stores a file outside of the directory', async () => {
    const { visitor } = await open('/around/target', 'BOTH');
    const outside = async () => (await alice.tree()).filter(({ path }) => !path.startsWith('/around/target'));
    const before = (await outside()).map(({ path, size }) => ({ path, size }));
    const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(pieces, fc.constantFrom('', '/'), async (path, by) => {
        const { status } = await visitor.send('f', '', { path: path.join(by) });
        assert.ok([200, 400, 409].includes(status), `${path.join(by)}: ${status}`);
      }),
      { numRuns: isFull ? 60 : 20 },
    );
    assert.deepEqual(
      (await outside()).map(({ path, size }) => ({ path, size })),
      before,
    );
  });
});
