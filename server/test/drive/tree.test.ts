// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';

const holdall = await startHoldall();
/** A user who changes nothing. */
const reader = await holdall.register('reader');

const DEFAULTS = ['Documents', 'Downloads', 'Pictures'];
const NFC = 'Café';
const NFD = 'Cafe\u0301';

describe('creating directories', () => {
  test('a new drive has the default directories', async () => {
    const alice = await holdall.register('alice');
    assert.deepEqual(await alice.names(), DEFAULTS);
  });

  test('the answer for a new directory is its record', async () => {
    const alice = await holdall.register('alice');
    const before = holdall.clock.now();
    const { id, createdAt, updatedAt, modifiedAt, ...record } = await alice.mkdir('/Documents/Letters');
    assert.deepEqual(record, {
      driveId: alice.driveId,
      filename: 'Letters',
      path: '/Documents/Letters',
      parentPath: '/Documents',
      size: 0,
      contentType: null,
      directory: true,
      starred: false,
      thumbnailVersion: null,
    });
    assert.ok(Number.isSafeInteger(id) && id > 0);
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual([updatedAt, modifiedAt], [createdAt, createdAt]);
    assert.ok(Date.parse(createdAt) >= before && Date.parse(createdAt) <= holdall.clock.now());
  });

  const form = new FormData();
  form.set('path', '/by multipart');
  const bodies: readonly [string, string, { body?: unknown; headers?: Record<string, string> }][] = [
    ['by JSON', '', { body: { path: '/by JSON' } }],
    ['by form', '', { body: new URLSearchParams({ path: '/by form' }) }],
    ['by multipart', '', { body: form }],
    ['by query', '?path=/by%20query', {}],
    ['by query', '?path=/by%20query', { body: {} }],
    ['by query', '?path=/by%20query', { body: '', headers: { 'content-type': 'application/json' } }],
    ['by JSON', '?path=/by%20query', { body: { path: '/by JSON' } }],
  ];
  for (const [index, [name, query, options]] of bodies.entries()) {
    test(`the path can be sent ${name} (${index + 1})`, async () => {
      const alice = await holdall.register('alice');
      const created = await alice.ask<EntryRecord>('POST', `/api/files/mkdir${query}`, options);
      assert.equal(created.path, `/${name}`);
      assert.deepEqual(await alice.names(), [...DEFAULTS, name].sort(foldedOrder));
    });
  }

  test('missing parents are created', async () => {
    const alice = await holdall.register('alice');
    const created = await alice.mkdir('/2026/May/Rome');
    assert.deepEqual([created.parentPath, created.path], ['/2026/May', '/2026/May/Rome']);
    assert.deepEqual(pathsOf(await alice.tree('/2026')), ['/2026/May', '/2026/May/Rome']);
  });

  const written: readonly [string, string][] = [
    ['plain', '/plain'],
    ['/trailing/', '/trailing'],
    ['//much///too//many', '/much/too/many'],
    [`/${NFD}`, `/${NFC}`],
    ['/ outer blanks ', '/ outer blanks '],
    ['/%2e%2e', '/%2e%2e'],
    ['/...', '/...'],
    [`/${'é'.repeat(127)}`, `/${'é'.repeat(127)}`],
    [`/deep${'/d'.repeat(127)}`, `/deep${'/d'.repeat(127)}`],
  ];
  for (const [sent, path] of written) {
    test(`the path ${shorten(sent)} means ${shorten(path)}`, async () => {
      const alice = await holdall.register('alice');
      assert.equal((await alice.mkdir(sent)).path, path);
      assert.equal((await alice.list(path)).total, 0);
    });
  }

  for (const path of ['/', '', '//']) {
    test(`the root cannot be created ("${path}")`, async () => {
      const alice = await holdall.register('alice');
      await alice.refused(400, 1003, 'POST', '/api/files/mkdir', { body: { path } });
    });
  }

  test('a request without a path is rejected', async () => {
    const alice = await holdall.register('alice');
    for (const options of [{}, { body: {} }, { body: new FormData() }]) {
      await alice.refused(400, 1000, 'POST', '/api/files/mkdir', options);
    }
  });

  test('a name taken by a file or a directory is rejected', async () => {
    const alice = await holdall.register('alice');
    await alice.mkdir(`/${NFC}`);
    await alice.upload('/notes.txt', 'notes');
    for (const path of [`/${NFC}`, `/${NFD}`, '/notes.txt', '/Documents/']) {
      await alice.refused(409, 1003, 'POST', '/api/files/mkdir', { body: { path } });
    }
  });

  test('a file in place of a parent is a conflict, and nothing is created', async () => {
    const alice = await holdall.register('alice');
    await alice.upload('/new.txt', 'a file');
    const before = await alice.state();
    for (const path of ['/new.txt/below', '/new.txt/below/that']) {
      await alice.refused(409, 1003, 'POST', '/api/files/mkdir', { body: { path } });
    }
    assert.deepEqual(await alice.state(), before);
  });

  test('names that differ only in case are different names', async () => {
    const alice = await holdall.register('alice');
    await alice.mkdir('/documents');
    await alice.upload('/DOCUMENTS', 'a file');
    assert.deepEqual(await alice.names(), ['Documents', 'documents', 'Downloads', 'Pictures', 'DOCUMENTS']);
  });
});

describe('listing', () => {
  test('without a path the root is listed, with twenty entries per page', async () => {
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

  test('a file or a missing directory is not found', async () => {
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
    test(`the query "${query}" is rejected`, async () => {
      await reader.refused(400, 1000, 'GET', `/api/files/list?${query}`);
    });
  }

  test('unknown parameters are ignored', async () => {
    const alice = await holdall.register('alice');
    assert.equal((await alice.list('/', { colour: 'blue' })).total, 3);
  });

  test('a size above 1,000 is reduced to 1,000', async () => {
    const alice = await holdall.register('alice');
    assert.equal((await alice.list('/', { size: 1_001 })).size, 1_000);
    assert.equal((await alice.list('/', { size: Number.MAX_SAFE_INTEGER })).size, 1_000);
  });

  test('a page after the end is empty and still has the total', async () => {
    const alice = await holdall.register('alice');
    assert.deepEqual(await alice.list('/', { page: 7, size: 3 }), { items: [], total: 3, page: 7, size: 3 });
  });

  test('directories come first, then names as people count and spell', async () => {
    const alice = await holdall.register('alice');
    for (const name of ['beta', 'Alpha', 'ÄRGER', 'ärger 2']) await alice.mkdir(`/l/${name}`);
    for (const name of ['b.txt', 'A.txt', 'a.txt', 'Ä.txt', '10', '9']) await alice.upload(`/l/${name}`);
    assert.deepEqual(await alice.names('/l'), [
      ...['Alpha', 'ÄRGER', 'ärger 2', 'beta'],
      ...['9', '10', 'A.txt', 'a.txt', 'Ä.txt', 'b.txt'],
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
      test(`${JSON.stringify(query)} is obeyed`, async () => {
        assert.deepEqual(namesOf((await alice.list('/s', query)).items), names);
      });
    }
  });

  test('paging neither repeats nor skips entries, even if many have equal sort keys', async () => {
    const alice = await holdall.register('alice');
    const names = Array.from({ length: 35 }, (_, index) => `${index % 2 ? 'N' : 'n'}ame ${index >> 1}`);
    for (const name of names) await alice.upload(`/walk/${name}`, 'same');
    for (const sort of ['', 'name', 'size', 'createdAt', 'updatedAt', 'modifiedAt']) {
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

  test('the total is right after every change', async () => {
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

  test('rejected changes do not affect the total', async () => {
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
  test('recently changed files come first, without directories', async () => {
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

  test('files in the recycle bin are left out', async () => {
    const alice = await holdall.register('alice');
    const directory = await alice.mkdir('/gone');
    await alice.upload('/gone/file', '1');
    await alice.recycle(directory);
    assert.deepEqual(await alice.recent(), []);
  });

  test('without a size, the newest twenty are returned', async () => {
    const alice = await holdall.register('alice');
    for (let number = 0; number < 21; number += 1) await alice.upload(`/${number}`, 'x');
    assert.equal((await alice.ask<EntryRecord[]>('GET', '/api/files/recent')).length, 20);
    assert.equal((await alice.recent(1_000_000)).length, 21);
  });

  for (const size of ['0', '-1', 'x', '2.5']) {
    test(`the size ${size} is rejected`, async () => {
      await reader.refused(400, 1000, 'GET', `/api/files/recent?size=${size}`);
    });
  }
});

test('the details of a file include its SHA-256', async () => {
  const alice = await holdall.register('alice');
  const file = await alice.upload('/abc', 'abc');
  assert.deepEqual(await alice.details(file), {
    ...file,
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    metadata: {},
  });
  const directory = await alice.mkdir('/directory');
  const totals = { totalSize: 0, fileCount: 0, directoryCount: 0 };
  assert.deepEqual(await alice.details(directory), { ...directory, sha256: null, metadata: {}, ...totals });
});

function pathsOf(records: readonly EntryRecord[]): string[] {
  return records.map((record) => record.path);
}

function namesOf(records: readonly EntryRecord[]): string[] {
  return records.map((record) => record.filename);
}

function foldedOrder(one: string, other: string): number {
  return one.toLowerCase() < other.toLowerCase() ? -1 : 1;
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 30 ? `${text.slice(0, 27)}...` : text);
}
