// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'node:test';
import { fc } from '../../../tools/testing/fast-check.ts';
import { inFull } from '../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { OwnShareLink, PublicShareLink, ShareLink } from '../../src/shares/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Listing, Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';

const LINKS = '/api/files/share-links';
const QUOTA = 100_000;

const holdall = await startHoldall({ env: { HOLDALL_DEFAULT_QUOTA_BYTES: `${QUOTA}` } });
let alice: Person;
let bob: Person;

before(async () => {
  alice = await holdall.register('alice');
  bob = await holdall.register('bob');
});
afterEach(() => checkBooks(holdall));

const link = (entry: { id: number }, person = alice) =>
  person.ask<ShareLink>('POST', `/api/files/${entry.id}/share-links`);
const see = (token: string) => holdall.anonymous.ask<PublicShareLink>('GET', `${LINKS}/${token}`);
const importIt = (person: Person, token: string, body?: object) =>
  person.call<EntryRecord>('POST', `${LINKS}/${token}/import`, { body });
const find = async (person: Person, name: string) => {
  const found = (await person.list('/', { size: 1_000 })).items.find((entry) => entry.filename === name);
  assert.ok(found);
  return found;
};

describe('a link to a file', () => {
  test('shows the same fields to its owner and to the public', async () => {
    const file = await alice.upload('/a.txt', 'text', 'text/plain');
    const made = await link(file);
    assert.deepEqual(made, {
      token: made.token,
      url: `${holdall.url}${LINKS}/${made.token}`,
      filename: 'a.txt',
      size: 4,
      contentType: file.contentType,
      directory: false,
      createdAt: made.createdAt,
    });
    assert.match(made.token, /^[\w-]{22}$/);
    assert.deepEqual(await see(made.token), { ...made, ownerUsername: alice.username });
    assert.deepEqual(await link(file), made);
  });

  test('is imported by reference, into a directory that is created for it', async () => {
    const { token } = await link(await alice.upload('/b.txt', 'bytes'));
    const { data: record } = await importIt(bob, token, { path: '/got/it' });
    assert.equal(record.path, '/got/it/b.txt');
    assert.equal((await bob.download(record)).toString(), 'bytes');
    assert.equal((await importIt(bob, token, { path: '/got/it' })).code, 1003);
    assert.equal((await importIt(bob, token)).data.path, '/b.txt');
  });
});

describe('a link to a directory', () => {
  test('shows the number of files below it, and imports all of them', async () => {
    await alice.upload('/tree/one', '1');
    await alice.upload('/tree/deep/two', '22');
    await alice.mkdir('/tree/empty');
    const { token } = await link(await find(alice, 'tree'));
    const seen = await see(token);
    assert.deepEqual([seen.directory, seen.fileCount, seen.size, seen.contentType], [true, 2, 0, null]);
    assert.deepEqual(Object.keys(seen).sort(), [
      'contentType',
      'createdAt',
      'directory',
      'fileCount',
      'filename',
      'ownerUsername',
      'size',
      'token',
      'url',
    ]);
    const carol = await holdall.register('carol');
    const { data: root } = await importIt(carol, token, { path: '/Documents' });
    assert.deepEqual([root.path, root.directory], ['/Documents/tree', true]);
    assert.deepEqual(
      (await carol.tree('/Documents')).map((entry) => entry.path),
      [
        '/Documents/tree',
        '/Documents/tree/deep',
        '/Documents/tree/deep/two',
        '/Documents/tree/empty',
        '/Documents/tree/one',
      ],
    );
    assert.equal(await carol.usedBytes(), 3);
  });

  test('imports all or nothing: not when the name is taken or the quota is exceeded', async () => {
    await alice.upload('/big/one', new Uint8Array(30_000));
    await alice.upload('/big/two', new Uint8Array(30_000));
    const { token } = await link(await find(alice, 'big'));
    const carol = await holdall.register('carol');
    await carol.mkdir('/to/big');
    await carol.upload('/filler', new Uint8Array(40_001));
    const state = await carol.state();
    assert.equal((await importIt(carol, token, { path: '/to' })).status, 409);
    assert.equal((await importIt(carol, token, { path: '/new' })).status, 413);
    assert.equal((await importIt(carol, token, { path: '/filler' })).status, 409);
    assert.deepEqual(await carol.state(), state);
  });

  test('cannot be imported into itself', async () => {
    await alice.mkdir('/self/inner');
    const { token } = await link(await find(alice, 'self'));
    for (const path of ['/self', '/self/inner', '/self/new']) {
      const answer = await importIt(alice, token, { path });
      assert.deepEqual([answer.status, answer.code], [400, 1003]);
    }
    assert.equal((await importIt(alice, token, { path: '/beside' })).data.path, '/beside/self');
  });

  test('cannot be imported below the maximum depth of a tree', async () => {
    await alice.mkdir(`/top${'/d'.repeat(100)}`);
    const { token } = await link(await find(alice, 'top'));
    const state = await bob.state();
    assert.equal((await importIt(bob, token, { path: '/x'.repeat(28) })).status, 400);
    assert.deepEqual(await bob.state(), state);
    assert.equal((await importIt(bob, token, { path: '/x'.repeat(27) })).status, 200);
  });
});

describe('the counts of a link', () => {
  test('include views and imports, but neither its owner nor HEAD requests', async () => {
    const { token } = await link(await alice.upload('/counted', 'x'));
    const counts = async () => {
      const row = await holdall.app.database.db
        .selectFrom('share')
        .select(['view_count', 'download_count'])
        .where('token', '=', token)
        .executeTakeFirstOrThrow();
      return [row.view_count, row.download_count];
    };
    await see(token);
    await bob.ask('GET', `${LINKS}/${token}`);
    await alice.ask('GET', `${LINKS}/${token}`);
    await bob.fetch('HEAD', `${LINKS}/${token}`);
    await importIt(bob, token, { path: '/counts' });
    assert.equal((await importIt(bob, token, { path: '/counts' })).status, 409);
    assert.deepEqual(await counts(), [2, 1]);
  });
});

describe('a link', () => {
  test('follows its entry, and is unavailable while the entry is in the recycle bin', async () => {
    const file = await alice.upload('/moves.txt', 'x');
    const { token } = await link(file);
    await alice.rename(file, 'moved.txt');
    assert.equal((await see(token)).filename, 'moved.txt');
    await alice.recycle(file);
    await holdall.anonymous.refused(404, 1003, 'GET', `${LINKS}/${token}`);
    assert.equal((await importIt(bob, token)).status, 404);
    await alice.restore(file);
    assert.equal((await link(file)).token, token);
    await alice.recycle(file);
    await alice.purge(file);
    await holdall.anonymous.refused(404, 1003, 'GET', `${LINKS}/${token}`);
  });

  test('can be created by the owner of a live entry only', async () => {
    const file = await alice.upload('/mine', 'x');
    await bob.refused(404, 1003, 'POST', `/api/files/${file.id}/share-links`);
    await holdall.anonymous.refused(401, 1001, 'POST', `/api/files/${file.id}/share-links`);
    const { token } = await link(file);
    await holdall.anonymous.refused(401, 1001, 'POST', `${LINKS}/${token}/import`);
    await bob.refused(400, 1000, 'POST', `${LINKS}/${token}/import`, { body: { path: '/../x' } });
  });

  test('is not found as a share, nor a share as a link', async () => {
    const file = await alice.upload('/either', 'x');
    const { token } = await link(file);
    await holdall.anonymous.refused(404, 2404, 'GET', `/api/v2/shares/${token}`);
    const share = await alice.ask<{ token: string }>('POST', '/api/v2/shares', { body: { fileId: file.id } });
    await holdall.anonymous.refused(404, 1003, 'GET', `${LINKS}/${share.token}`);
  });
});

test('a link to any directory shows and imports exactly what is below it', inFull, async () => {
  const name = fc.constantFrom('a', 'b', 'c', 'ab', 'A', 'ä');
  const path = fc.array(name, { minLength: 1, maxLength: 4 });
  const files = fc.uniqueArray(path, { minLength: 1, maxLength: 8, selector: (names) => names.join('/') });
  let round = 0;
  await fc.assert(
    fc.asyncProperty(files, name, async (paths, shared) => {
      round += 1;
      const owner = await holdall.register('owner');
      // Entries below a file are not created. Siblings of the shared directory are created on purpose.
      for (const names of paths) {
        await owner.call('POST', '/api/files/mkdir', { body: { path: `/${names.slice(0, -1).join('/')}` } });
        const form = new FormData();
        form.set('path', `/${names.slice(0, -1).join('/')}`);
        form.set('file', new Blob([names.join('/')]), names.at(-1) ?? '');
        await owner.call('POST', '/api/files/upload', { body: form });
      }
      await owner.call('POST', '/api/files/mkdir', { body: { path: `/${shared}` } });
      const root = await find(owner, shared);
      const expected = root.directory ? await owner.tree(`/${shared}`) : [];
      const { token } = await link(root, owner);
      const seen = await see(token);
      if (root.directory) assert.equal(seen.fileCount, expected.filter((entry) => !entry.directory).length);
      const taker = await holdall.register('taker');
      assert.equal((await importIt(taker, token, { path: '/in' })).status, 200);
      const shapeOf = (entries: readonly EntryRecord[], top: string) =>
        entries.map((entry) => [entry.path.slice(top.length), entry.directory, entry.size]);
      const got = await taker.tree('/in');
      assert.deepEqual(shapeOf(got, '/in'), shapeOf([{ ...root, path: `/${shared}` }, ...expected], ''));
      for (const entry of got.filter((each) => !each.directory)) {
        const original = [root, ...expected].find((each) => `/in${each.path}` === entry.path);
        assert.ok(original);
        assert.ok((await taker.download(entry)).equals(await owner.download(original)));
      }
    }),
    { numRuns: 12 },
  );
  assert.ok(round >= 12);
});

describe('the links of an account', () => {
  const OWN = '/api/v2/share-links';
  const list = (person: Person, query = '') =>
    person.ask<Listing<OwnShareLink>>('GET', `${OWN}/mine${query}`);

  test('are listed newest first, for files and directories, with uses and locations', async () => {
    const carol = await holdall.register('carol');
    assert.deepEqual(await list(carol), { items: [], total: 0, page: 0, size: 20 });
    const file = await carol.upload('/deep/down/a.txt', 'text');
    const ofFile = await link(file, carol);
    const directory = await carol.mkdir('/deep/album');
    holdall.clock.advance(1_000);
    const ofDirectory = await link(directory, carol);
    await see(ofDirectory.token);
    await see(ofDirectory.token);
    assert.equal((await importIt(bob, ofFile.token, { path: '/from carol' })).status, 200);

    const { items, total } = await list(carol);
    const [first, second] = items;
    assert(first && second);
    assert.equal(total, 2);
    const counts = { viewCount: 2, importCount: 0 };
    assert.deepEqual(first, { ...ofDirectory, id: first.id, ...counts, file: directory });
    assert.deepEqual(second, { ...ofFile, id: second.id, viewCount: 0, importCount: 1, file });
    assert.deepEqual((await list(carol, '?page=1&size=1')).items, [second]);
    await carol.refused(400, 2400, 'GET', `${OWN}/mine?size=0`);
    await holdall.anonymous.refused(401, 2401, 'GET', `${OWN}/mine`);

    await carol.rename(directory, 'renamed');
    await carol.recycle(file);
    const later = await list(carol);
    assert.deepEqual(
      later.items.map((one) => [one.filename, one.file.path]),
      [['renamed', '/deep/renamed']],
    );
    assert.equal(later.total, 1);
    await carol.restore(file);
    assert.equal((await list(carol)).total, 2);
  });

  test('do not include shares', async () => {
    const carol = await holdall.register('carol');
    const file = await carol.upload('/a.txt', 'text');
    const share = await carol.ask<{ id: number }>('POST', '/api/v2/shares', { body: { fileId: file.id } });
    assert.equal((await list(carol)).total, 0);
    await carol.refused(404, 2404, 'DELETE', `${OWN}/${share.id}`);
    await link(file, carol);
    const [own] = (await list(carol)).items;
    await carol.refused(404, 2404, 'DELETE', `/api/v2/shares/${own?.id}`);
    assert.equal((await list(carol)).total, 1);
  });

  test('stop working when their owner deletes them; the next link to the entry is a new one', async () => {
    const carol = await holdall.register('carol');
    const file = await carol.upload('/a.txt', 'text');
    const { token } = await link(file, carol);
    const [own] = (await list(carol)).items;
    await bob.refused(404, 2404, 'DELETE', `${OWN}/${own?.id}`);
    await holdall.anonymous.refused(401, 2401, 'DELETE', `${OWN}/${own?.id}`);
    await carol.refused(400, 2400, 'DELETE', `${OWN}/x`);
    await see(token);
    assert.equal(await carol.ask('DELETE', `${OWN}/${own?.id}`), null);
    await holdall.anonymous.refused(404, 1003, 'GET', `${LINKS}/${token}`);
    await bob.refused(404, 1003, 'POST', `${LINKS}/${token}/import`);
    await carol.refused(404, 2404, 'DELETE', `${OWN}/${own?.id}`);
    assert.notEqual((await link(file, carol)).token, token);
  });
});
