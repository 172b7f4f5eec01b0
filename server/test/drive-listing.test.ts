import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { EntryRecord } from '../src/drive/contract.ts';
import { startHoldall } from './support/holdall.ts';
import type { Person } from './support/person.ts';

const holdall = await startHoldall();
/** Somebody who changes nothing. */
const reader = await holdall.register('reader');

const DEFAULTS = ['Documents', 'Downloads', 'Pictures'];

describe('listing', () => {
  test('the root is listed when no path is given, twenty to a page', async () => {
    const alice = await holdall.register('alice');
    const listing = await alice.ask<{ items: readonly EntryRecord[] }>('GET', '/api/files/list');
    assert.deepEqual(
      { ...listing, items: pathsOf(listing.items) },
      {
        items: DEFAULTS.map((name) => `/${name}`),
        total: 3,
        page: 0,
        size: 20,
      },
    );
  });

  test('what is no directory is not found', async () => {
    const alice = await holdall.register('alice');
    await alice.upload('/a.txt', 'a');
    for (const path of ['/nowhere', '/a.txt', '/a.txt/b', '/Documents/nowhere', '/documents']) {
      await alice.refused(404, 1003, 'GET', `/api/files/list?${new URLSearchParams({ path })}`);
    }
  });

  const wrongQueries = [
    ...['size=0', 'size=-1', 'size=1.5', 'size=abc', 'size=', 'size=1e30', 'page=-1', 'page=0.5', 'page='],
    ...['page=abc', 'page=9007199254740991', 'sort=id', 'sort=', 'sort=NAME', 'order=up', 'order=DESC'],
    ...['order=', 'path=/../x', 'path=a&path=b'],
  ];
  for (const query of wrongQueries) {
    test(`the query "${query}" is refused`, async () => {
      await reader.refused(400, 1000, 'GET', `/api/files/list?${query}`);
    });
  }

  test('unknown parameters are ignored', async () => {
    const alice = await holdall.register('alice');
    assert.equal((await alice.list('/', { colour: 'blue' })).total, 3);
  });

  test('a size above 1,000 is cut to 1,000', async () => {
    const alice = await holdall.register('alice');
    assert.equal((await alice.list('/', { size: 1_001 })).size, 1_000);
    assert.equal((await alice.list('/', { size: Number.MAX_SAFE_INTEGER })).size, 1_000);
  });

  test('a page behind the end is empty and still knows the total', async () => {
    const alice = await holdall.register('alice');
    assert.deepEqual(await alice.list('/', { page: 7, size: 3 }), { items: [], total: 3, page: 7, size: 3 });
  });

  test('directories come first, then names without regard to case', async () => {
    const alice = await holdall.register('alice');
    for (const name of ['beta', 'Alpha', 'ÄRGER', 'ärger 2']) await alice.mkdir(`/l/${name}`);
    for (const name of ['b.txt', 'A.txt', 'a.txt', 'Ä.txt', '10', '9']) await alice.upload(`/l/${name}`);
    assert.deepEqual(await alice.names('/l'), [
      ...['Alpha', 'beta', 'ÄRGER', 'ärger 2'],
      ...['10', '9', 'A.txt', 'a.txt', 'b.txt', 'Ä.txt'],
    ]);
  });

  describe('in another order', () => {
    let alice: Person;
    before(async () => {
      alice = await holdall.register('alice');
      await alice.upload('/s/b.txt', '12');
      holdall.clock.advance(10);
      await alice.upload('/s/C.txt', '1');
      holdall.clock.advance(10);
      const directory = await alice.mkdir('/s/x');
      holdall.clock.advance(10);
      await alice.upload('/s/a.txt', '123');
      holdall.clock.advance(10);
      await alice.rename(directory, 'D');
    });

    const orders: readonly [Record<string, string>, readonly string[]][] = [
      [{ order: 'desc' }, ['D', 'C.txt', 'b.txt', 'a.txt']],
      [{ sort: 'name' }, ['a.txt', 'b.txt', 'C.txt', 'D']],
      [{ sort: 'name', order: 'desc' }, ['D', 'C.txt', 'b.txt', 'a.txt']],
      [{ sort: 'size' }, ['D', 'C.txt', 'b.txt', 'a.txt']],
      [{ sort: 'size', order: 'desc' }, ['a.txt', 'b.txt', 'C.txt', 'D']],
      [{ sort: 'createdAt' }, ['b.txt', 'C.txt', 'D', 'a.txt']],
      [{ sort: 'createdAt', order: 'desc' }, ['a.txt', 'D', 'C.txt', 'b.txt']],
      [{ sort: 'updatedAt', order: 'asc' }, ['b.txt', 'C.txt', 'a.txt', 'D']],
      [{ sort: 'updatedAt', order: 'desc' }, ['D', 'a.txt', 'C.txt', 'b.txt']],
    ];
    for (const [query, names] of orders) {
      test(`${JSON.stringify(query)} is kept`, async () => {
        assert.deepEqual(namesOf((await alice.list('/s', query)).items), names);
      });
    }
  });

  test('a walk through the pages neither repeats nor skips, however many rows are alike', async () => {
    const alice = await holdall.register('alice');
    const names = Array.from({ length: 35 }, (_, index) => `${index % 2 ? 'N' : 'n'}ame ${index >> 1}`);
    for (const name of names) await alice.upload(`/walk/${name}`, 'same');
    for (const sort of ['', 'name', 'size', 'createdAt', 'updatedAt']) {
      for (const order of ['asc', 'desc']) {
        const seen: string[] = [];
        for (let page = 0; page < 6; page += 1) {
          const query = { page, size: 6, order, ...(sort === '' ? {} : { sort }) };
          const { items, total } = await alice.list('/walk', query);
          assert.equal(total, 35);
          seen.push(...namesOf(items));
        }
        assert.deepEqual(seen.toSorted(), names.toSorted(), `sort=${sort}&order=${order}`);
      }
    }
  });

  test('the total follows every change', async () => {
    const alice = await holdall.register('alice');
    const total = async (path: string) => (await alice.list(path, { size: 1 })).total;
    const file = await alice.upload('/t/a/file', 'x');
    await alice.mkdir('/t/b');
    assert.deepEqual([await total('/t'), await total('/t/a'), await total('/t/b')], [2, 1, 0]);
    await alice.move(file, '/t/b');
    await alice.rename(file, 'other');
    assert.deepEqual([await total('/t/a'), await total('/t/b')], [0, 1]);
    await alice.copy(file, '/t/a');
    assert.deepEqual([await total('/t/a'), await total('/t/b')], [1, 1]);
    await alice.recycle(file);
    assert.equal(await total('/t/b'), 0);
    await alice.restore(file);
    assert.equal(await total('/t/b'), 1);
    const [tree] = (await alice.list('/')).items.filter((record) => record.filename === 't');
    assert.ok(tree);
    await alice.copy(tree, '/Documents');
    assert.equal(await total('/Documents/t'), 2);
    assert.equal(await total('/Documents/t/b'), 1);
    await alice.recycle(tree);
    await alice.restore(tree);
    assert.deepEqual([await total('/t'), await total('/t/a'), await total('/')], [2, 1, 4]);
  });

  test('refused changes leave the total as it is', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/r/file', 'x');
    await alice.upload('/r/taken', 'y');
    await alice.upload('/Documents/file', 'z');
    const call = (method: string, act: string, body: object) =>
      alice.refused(409, 1003, method, `/api/files/${file.id}/${act}`, { body });
    await call('PATCH', 'rename', { filename: 'taken' });
    await call('PATCH', 'move', { path: '/Documents' });
    await call('POST', 'copy', { path: '/Documents' });
    await alice.refused(409, 1003, 'POST', '/api/files/mkdir', { body: { path: '/r/taken' } });
    assert.deepEqual([(await alice.list('/r')).total, (await alice.list('/Documents')).total], [2, 1]);
  });
});

describe('recent files', () => {
  test('the files that changed last come first, without directories', async () => {
    const alice = await holdall.register('alice');
    const first = await alice.upload('/a/b/first', '1');
    holdall.clock.advance(10);
    await alice.upload('/second', '2');
    holdall.clock.advance(10);
    await alice.mkdir('/directory');
    assert.deepEqual(pathsOf(await alice.recent()), ['/second', '/a/b/first']);
    holdall.clock.advance(10);
    await alice.rename(first, 'renamed');
    assert.deepEqual(pathsOf(await alice.recent()), ['/a/b/renamed', '/second']);
    assert.deepEqual(pathsOf(await alice.recent(1)), ['/a/b/renamed']);
  });

  test('what lies in the recycle bin is not recent', async () => {
    const alice = await holdall.register('alice');
    const directory = await alice.mkdir('/gone');
    await alice.upload('/gone/file', '1');
    await alice.recycle(directory);
    assert.deepEqual(await alice.recent(), []);
  });

  test('the newest twenty are given when no size is', async () => {
    const alice = await holdall.register('alice');
    for (let number = 0; number < 21; number += 1) await alice.upload(`/${number}`, 'x');
    assert.equal((await alice.ask<EntryRecord[]>('GET', '/api/files/recent')).length, 20);
    assert.equal((await alice.recent(1_000_000)).length, 21);
  });

  for (const size of ['0', '-1', 'x', '2.5']) {
    test(`the size ${size} is refused`, async () => {
      await reader.refused(400, 1000, 'GET', `/api/files/recent?size=${size}`);
    });
  }
});

function pathsOf(records: readonly EntryRecord[]): string[] {
  return records.map((record) => record.path);
}

function namesOf(records: readonly EntryRecord[]): string[] {
  return records.map((record) => record.filename);
}
