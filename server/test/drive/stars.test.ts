// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { BinRecord, EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { newestOf, readChanges } from '../support/events/changes.ts';

const holdall = await startHoldall();
afterEach(() => checkBooks(holdall));

const star = (person: Person, { id }: { id: number }) =>
  person.ask<EntryRecord>('PUT', `/api/v2/files/${id}/star`);
const unstar = (person: Person, { id }: { id: number }) =>
  person.ask<EntryRecord>('DELETE', `/api/v2/files/${id}/star`);
const starred = (person: Person, query = '') =>
  person.ask<{ items: readonly EntryRecord[]; total: number }>('GET', `/api/v2/files/starred?${query}`);
const pathsOf = async (person: Person) => (await starred(person)).items.map(({ path }) => path);

describe('a star', () => {
  test('can be set and removed, and every record says whether there is one', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/d/file', 'x');
    assert.equal(file.starred, false);
    assert.deepEqual(await star(alice, file), { ...file, starred: true });
    assert.equal((await alice.details(file)).starred, true);
    assert.equal((await alice.list('/d')).items[0]?.starred, true);
    assert.equal((await alice.recent())[0]?.starred, true);
    const found = await alice.ask<{ items: readonly EntryRecord[] }>('GET', '/api/v2/files/search?q=file');
    assert.equal(found.items[0]?.starred, true);
    assert.deepEqual(await unstar(alice, file), file);
    assert.equal((await alice.details(file)).starred, false);
  });

  test('can be set or removed a second time, which changes nothing and records no event', async () => {
    const alice = await holdall.register('alice');
    const directory = await alice.mkdir('/d');
    const first = await star(alice, directory);
    const cursor = await newestOf(alice);
    assert.deepEqual(await star(alice, directory), first);
    assert.equal(await newestOf(alice), cursor);
    await unstar(alice, directory);
    const { items, nextCursor } = await readChanges(alice, { cursor });
    assert.deepEqual(
      items.map(({ eventType, fileId, toPath }) => [eventType, fileId, toPath]),
      [['UPDATED', directory.id, '/d']],
    );
    assert.deepEqual(await unstar(alice, directory), directory);
    assert.equal(await newestOf(alice), nextCursor);
  });

  test('stays when the entry is renamed, moved, recycled and restored, and when its content is replaced', async () => {
    const alice = await holdall.register('alice');
    const tree = await alice.mkdir('/tree');
    const file = await alice.upload('/tree/file', 'x');
    for (const entry of [tree, file]) await star(alice, entry);
    assert.equal((await alice.rename(file, 'renamed')).starred, true);
    assert.equal((await alice.move(tree, '/Documents')).starred, true);
    const replaced = await alice.ask<EntryRecord>('PUT', `/api/v2/files/${file.id}/content`, { body: 'y' });
    assert.equal(replaced.starred, true);
    await alice.recycle(tree);
    assert.deepEqual(await pathsOf(alice), []);
    const { items } = await alice.bin();
    assert.deepEqual(
      items.map((item: BinRecord) => item.starred),
      [true],
    );
    assert.equal((await alice.restore(tree)).starred, true);
    assert.deepEqual(await pathsOf(alice), ['/Documents/tree/renamed', '/Documents/tree']);
  });

  test('is not copied with its entry, nor with a directory above the entry', async () => {
    const alice = await holdall.register('alice');
    const tree = await alice.mkdir('/tree');
    const file = await alice.upload('/tree/file', 'x');
    for (const entry of [tree, file]) await star(alice, entry);
    assert.equal((await alice.copy(tree, '/Documents')).starred, false);
    assert.equal((await alice.list('/Documents/tree')).items[0]?.starred, false);
    assert.deepEqual(await pathsOf(alice), ['/tree/file', '/tree']);
  });

  test('is seen only by the owner of the entry', async () => {
    const [alice, bob] = [await holdall.register('alice'), await holdall.register('bob')];
    const file = await alice.upload('/file', 'x');
    await star(alice, file);
    for (const method of ['PUT', 'DELETE'] as const) {
      await bob.refused(404, 2404, method, `/api/v2/files/${file.id}/star`);
    }
    assert.deepEqual(await pathsOf(bob), []);
    const share = await alice.ask<{ token: string }>('POST', '/api/v2/shares', { body: { fileId: file.id } });
    const shown = await bob.ask<{ file: object }>('GET', `/api/v2/shares/${share.token}`);
    assert.ok(!('starred' in shown.file));
    const body = { path: '/' };
    const imported = await bob.ask<EntryRecord>('POST', `/api/v2/shares/${share.token}/import`, { body });
    assert.equal(imported.starred, false);
    const admin = await holdall.admin();
    const { items } = await admin.ask<{ items: readonly object[] }>('GET', '/api/admin/files?query=file');
    assert.ok(items.length >= 2 && items.every((item) => !('starred' in item)));
  });

  test('needs a live entry', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/file', 'x');
    await alice.recycle(file);
    await alice.refused(404, 2404, 'PUT', `/api/v2/files/${file.id}/star`);
    await alice.purge(file);
    await alice.refused(404, 2404, 'DELETE', `/api/v2/files/${file.id}/star`);
    await alice.refused(400, 2400, 'PUT', '/api/v2/files/0/star');
  });

  test('does not move a file into the list of recent files', async () => {
    const alice = await holdall.register('alice');
    const older = await alice.upload('/older', 'x');
    holdall.clock.advance(1_000);
    await alice.upload('/newer', 'x');
    holdall.clock.advance(1_000);
    await star(alice, older);
    assert.deepEqual(
      (await alice.recent(2)).map(({ filename }) => filename),
      ['newer', 'older'],
    );
  });
});

test('the list contains each live entry with a star once, the newest star first', async () => {
  const alice = await holdall.register('alice');
  const files: EntryRecord[] = [];
  for (let number = 0; number < 7; number += 1)
    files.push(await alice.upload(`/${number % 2}/${number}`, 'x'));
  for (const file of files.toReversed()) {
    await star(alice, file);
    holdall.clock.advance(1_000);
  }
  const walked: EntryRecord[] = [];
  for (let page = 0; page < 3; page += 1) {
    const part = await starred(alice, `page=${page}&size=3`);
    assert.equal(part.total, 7);
    walked.push(...part.items);
  }
  assert.deepEqual(
    walked,
    files.map((file) => ({ ...file, starred: true })),
  );
  assert.deepEqual((await starred(alice, 'page=3&size=3')).items, []);
  await alice.refused(400, 2400, 'GET', '/api/v2/files/starred?size=0');
});

test('of two simultaneous requests that set one star, one records an event', async () => {
  const alice = await holdall.register('alice');
  const file = await alice.upload('/file', 'x');
  const cursor = await newestOf(alice);
  await Promise.all([star(alice, file), star(alice, file), star(alice, file)]);
  assert.equal((await readChanges(alice, { cursor })).items.length, 1);
});
