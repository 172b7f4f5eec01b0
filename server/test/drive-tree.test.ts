import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { EntryRecord } from '../src/drive/contract.ts';
import { startHoldall } from './support/holdall.ts';
import type { Person } from './support/person.ts';
import { listStoredFiles } from './support/stored-files.ts';

const holdall = await startHoldall();
const tight = await startHoldall({ env: { HOLDALL_DEFAULT_QUOTA_BYTES: '100' } });
/** Somebody who changes nothing. */
const reader = await holdall.register('reader');

const DEFAULTS = ['Documents', 'Downloads', 'Pictures'];
const NFC = 'Café';
const NFD = 'Cafe\u0301';

describe('making directories', () => {
  test('a new drive holds the default directories', async () => {
    const alice = await holdall.register('alice');
    assert.deepEqual(await alice.names(), DEFAULTS);
  });

  test('a new directory is answered with its record', async () => {
    const alice = await holdall.register('alice');
    const before = holdall.clock.now();
    const { id, createdAt, updatedAt, ...record } = await alice.mkdir('/Documents/Letters');
    assert.deepEqual(record, {
      filename: 'Letters',
      path: '/Documents/Letters',
      parentPath: '/Documents',
      size: 0,
      contentType: null,
      directory: true,
    });
    assert.ok(Number.isSafeInteger(id) && id > 0);
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(updatedAt, createdAt);
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
    test(`the path is taken ${name} (${index + 1})`, async () => {
      const alice = await holdall.register('alice');
      const made = await alice.ask<EntryRecord>('POST', `/api/files/mkdir${query}`, options);
      assert.equal(made.path, `/${name}`);
      assert.deepEqual(await alice.names(), [...DEFAULTS, name].sort(foldedOrder));
    });
  }

  test('missing parents are made', async () => {
    const alice = await holdall.register('alice');
    const made = await alice.mkdir('/2026/May/Rome');
    assert.deepEqual([made.parentPath, made.path], ['/2026/May', '/2026/May/Rome']);
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
    test(`the root cannot be made ("${path}")`, async () => {
      const alice = await holdall.register('alice');
      await alice.refused(400, 1003, 'POST', '/api/files/mkdir', { body: { path } });
    });
  }

  test('without a path nothing is made', async () => {
    const alice = await holdall.register('alice');
    for (const options of [{}, { body: {} }, { body: new FormData() }]) {
      await alice.refused(400, 1000, 'POST', '/api/files/mkdir', options);
    }
  });

  test('a taken name is refused, whatever has it', async () => {
    const alice = await holdall.register('alice');
    await alice.mkdir(`/${NFC}`);
    await alice.upload('/notes.txt', 'notes');
    for (const path of [`/${NFC}`, `/${NFD}`, '/notes.txt', '/Documents/']) {
      await alice.refused(409, 1003, 'POST', '/api/files/mkdir', { body: { path } });
    }
  });

  test('a file in the way is a conflict, and nothing is made', async () => {
    const alice = await holdall.register('alice');
    await alice.upload('/new.txt', 'a file');
    const before = await alice.state();
    for (const path of ['/new.txt/below', '/new.txt/below/that']) {
      await alice.refused(409, 1003, 'POST', '/api/files/mkdir', { body: { path } });
    }
    assert.deepEqual(await alice.state(), before);
  });

  test('names that differ in case are different names', async () => {
    const alice = await holdall.register('alice');
    await alice.mkdir('/documents');
    await alice.upload('/DOCUMENTS', 'a file');
    assert.deepEqual(await alice.names(), ['Documents', 'documents', 'Downloads', 'Pictures', 'DOCUMENTS']);
  });
});

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

describe('renaming', () => {
  test('a file has its new name, and its content', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/Documents/old.txt', 'content');
    holdall.clock.advance(10);
    const renamed = await alice.rename(file, 'new.txt');
    assert.deepEqual(renamed, {
      ...file,
      filename: 'new.txt',
      path: '/Documents/new.txt',
      updatedAt: renamed.updatedAt,
    });
    assert.ok(renamed.updatedAt > file.updatedAt);
    assert.deepEqual(await alice.names('/Documents'), ['new.txt']);
    assert.equal((await alice.download(file)).toString(), 'content');
  });

  test('everything below a renamed directory has its new path', async () => {
    const alice = await holdall.register('alice');
    const directory = await alice.mkdir('/old');
    const file = await alice.upload('/old/a/b.txt', 'b');
    await alice.rename(directory, 'new');
    assert.deepEqual(pathsOf(await alice.tree('/new')), ['/new/a', '/new/a/b.txt']);
    assert.equal((await alice.details(file)).path, '/new/a/b.txt');
    await alice.refused(404, 1003, 'GET', '/api/files/list?path=/old');
  });

  test('the same name is a success that changes nothing', async () => {
    const alice = await holdall.register('alice');
    const directory = await alice.mkdir(`/${NFC}`);
    holdall.clock.advance(10);
    assert.deepEqual(await alice.rename(directory, NFC), directory);
    assert.deepEqual(await alice.rename(directory, NFD), directory);
  });

  test('another case is another name', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/readme', 'x');
    assert.equal((await alice.rename(file, 'README')).path, '/README');
  });

  test('a taken name is refused, whatever has it', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/x/file', 'x');
    const directory = await alice.mkdir('/x/directory');
    await alice.mkdir(`/x/${NFC}`);
    await alice.upload('/x/other', 'x');
    for (const filename of ['directory', 'other', NFC, NFD]) await refuseRename(alice, file, filename);
    for (const filename of ['file', 'other', NFD]) await refuseRename(alice, directory, filename);
  });

  const refuseRename = (person: Person, entry: EntryRecord, filename: string) =>
    person.refused(409, 1003, 'PATCH', `/api/files/${entry.id}/rename`, { body: { filename } });
});

describe('moving', () => {
  test('a file lies in its new directory and no longer in the old', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/Documents/file', 'content');
    holdall.clock.advance(10);
    const moved = await alice.move(file, '/Pictures/');
    assert.deepEqual(moved, {
      ...file,
      path: '/Pictures/file',
      parentPath: '/Pictures',
      updatedAt: moved.updatedAt,
    });
    assert.deepEqual([await alice.names('/Documents'), await alice.names('/Pictures')], [[], ['file']]);
    assert.equal((await alice.download(file)).toString(), 'content');
    assert.equal((await alice.move(file, '/')).path, '/file');
  });

  test('a directory takes along what lies below it', async () => {
    const alice = await holdall.register('alice');
    const directory = await alice.mkdir('/from/tree');
    await alice.upload('/from/tree/a/b.txt', 'b');
    const stored = await listStoredFiles(holdall);
    await alice.move(directory, '/Documents');
    assert.deepEqual(pathsOf(await alice.tree('/Documents')), [
      '/Documents/tree',
      '/Documents/tree/a',
      '/Documents/tree/a/b.txt',
    ]);
    assert.deepEqual(await alice.names('/from'), []);
    assert.deepEqual(await listStoredFiles(holdall), stored);
    assert.equal(await alice.usedBytes(), 1);
  });

  test('to where it lies already is a success that changes nothing', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/Documents/file', 'x');
    const directory = await alice.mkdir('/directory');
    holdall.clock.advance(10);
    assert.deepEqual(await alice.move(file, '/Documents'), file);
    assert.deepEqual(await alice.move(directory, '/'), directory);
    assert.equal((await alice.list('/')).total, 4);
  });
});

describe('copying', () => {
  test('a file is copied without its bytes being stored again', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/file.txt', 'content', 'text/x-special');
    const stored = await listStoredFiles(holdall);
    holdall.clock.advance(10);
    const copy = await alice.copy(file, '/Documents');
    const { id, createdAt, updatedAt, ...rest } = copy;
    assert.deepEqual(
      { ...file, ...rest },
      { ...file, path: '/Documents/file.txt', parentPath: '/Documents' },
    );
    assert.notEqual(id, file.id);
    assert.ok(createdAt > file.createdAt && updatedAt === createdAt);
    assert.deepEqual(await listStoredFiles(holdall), stored);
    assert.equal((await alice.download(copy)).toString(), 'content');
    assert.equal((await alice.details(copy)).sha256, (await alice.details(file)).sha256);
    assert.equal(await alice.usedBytes(), 14);
  });

  test('a directory is copied with everything below it', async () => {
    const alice = await holdall.register('alice');
    const source = await alice.mkdir('/source');
    await alice.upload('/source/a/1.txt', '1');
    await alice.upload('/source/a/b/c/22.txt', '22');
    await alice.upload('/source/333.txt', '333');
    await alice.mkdir('/source/empty/emptier');
    const copy = await alice.copy(source, '/Documents');
    assert.equal(copy.path, '/Documents/source');
    const below = async (path: string) =>
      (await alice.tree(path)).map((record) => [record.path.slice(path.length), record.size]);
    assert.deepEqual(await below('/Documents/source'), await below('/source'));
    assert.equal(await alice.usedBytes(), 12);
    const files = (await alice.tree('/Documents')).filter((record) => !record.directory);
    for (const file of files)
      assert.equal((await alice.download(file)).toString(), file.filename.slice(0, -4));
  });

  test('a copy is not touched by what happens to its original', async () => {
    const alice = await holdall.register('alice');
    const source = await alice.mkdir('/source');
    const file = await alice.upload('/source/file', 'content');
    await alice.copy(source, '/Documents');
    await alice.rename(file, 'renamed');
    await alice.recycle(source);
    await alice.purge(source);
    const [copy] = (await alice.list('/Documents/source')).items;
    assert.equal(copy?.filename, 'file');
    assert.equal((await alice.download(copy)).toString(), 'content');
    assert.equal(await alice.usedBytes(), 7);
  });

  test('a copy of a copy of a tree is whole', async () => {
    const alice = await holdall.register('alice');
    let tree = await alice.mkdir('/t');
    for (const name of ['a', 'b', 'c']) await alice.upload(`/t/d/${name}`, name);
    for (const target of ['/Documents', '/Pictures', '/Downloads']) {
      tree = await alice.copy(tree, target);
      assert.equal((await alice.list(`${target}/t/d`)).total, 3);
    }
    const { total } = await alice.list('/t/d');
    assert.equal(total, 3);
    assert.equal(await alice.usedBytes(), 12);
  });

  test('a tree of many levels is copied to its last', async () => {
    const alice = await holdall.register('alice');
    const top = await alice.mkdir('/deep');
    await alice.upload(`/deep${'/d'.repeat(60)}/end`, 'end');
    await alice.copy(top, '/Documents');
    assert.deepEqual(await alice.names(`/Documents/deep${'/d'.repeat(60)}`), ['end']);
  });

  test('into the directory where it lies is a conflict', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/Documents/file', 'x');
    const directory = await alice.mkdir('/directory');
    await refuse(alice, 'copy', file, '/Documents', 409);
    await refuse(alice, 'copy', directory, '/', 409);
  });

  test('what does not fit the quota is not copied', async () => {
    const alice = await tight.register('alice');
    const directory = await alice.mkdir('/source');
    const file = await alice.upload('/source/40 bytes', 'x'.repeat(40));
    await alice.upload('/source/11 bytes', 'x'.repeat(11));
    const before = await alice.state();
    await refuse(alice, 'copy', directory, '/Documents', 413);
    assert.deepEqual(await alice.state(), before);
    await alice.copy(file, '/Documents');
    await refuse(alice, 'copy', file, '/Pictures', 413);
    assert.equal(await alice.usedBytes(), 91);
  });
});

for (const act of ['move', 'copy'] as const) {
  describe(`what ${act} refuses`, () => {
    test('a target that is not there, or a file', async () => {
      const alice = await holdall.register('alice');
      const file = await alice.upload('/file', 'x');
      await alice.upload('/other', 'x');
      for (const path of ['/nowhere', '/Documents/nowhere', '/other', '/other/below', '/file'])
        await refuse(alice, act, file, path, 404);
    });

    test('a directory into itself or below itself', async () => {
      const alice = await holdall.register('alice');
      const directory = await alice.mkdir('/a');
      await alice.mkdir('/a/b/c');
      await alice.mkdir('/ab');
      const before = await alice.state();
      for (const path of ['/a', '/a/b', '/a/b/c', 'a//b/']) await refuse(alice, act, directory, path, 400);
      assert.deepEqual(await alice.state(), before);
      await alice[act](directory, '/ab');
      assert.deepEqual(await alice.names('/ab/a/b'), ['c']);
    });

    test('a name that is taken in the target, by a file or a directory', async () => {
      const alice = await holdall.register('alice');
      const file = await alice.upload('/name', 'file');
      const directory = await alice.mkdir(`/${NFC}`);
      await alice.mkdir('/to directories/name');
      await alice.mkdir(`/to directories/${NFD}`);
      await alice.upload('/to files/name', 'other file');
      await alice.upload(`/to files/${NFD}`, 'other file');
      const before = await alice.state();
      for (const target of ['/to directories', '/to files']) {
        await refuse(alice, act, file, target, 409);
        await refuse(alice, act, directory, target, 409);
      }
      assert.deepEqual(await alice.state(), before);
    });

    test('an operation without a target', async () => {
      const alice = await holdall.register('alice');
      const file = await alice.upload('/file', 'x');
      await refuse(alice, act, file, undefined, 400, 1000);
    });
  });
}

test('the root can be neither renamed, moved, copied, deleted nor downloaded', async () => {
  const alice = await holdall.register('alice');
  const [first] = (await alice.list('/', { sort: 'createdAt' })).items;
  assert.ok(first);
  // It has no record, but ids are given one after another: it came before the first directory.
  const root = first.id - 1;
  const body = { filename: 'x', path: '/Documents' };
  await alice.refused(404, 1003, 'PATCH', `/api/files/${root}/rename`, { body });
  await alice.refused(404, 1003, 'PATCH', `/api/files/${root}/move`, { body });
  await alice.refused(404, 1003, 'POST', `/api/files/${root}/copy`, { body });
  await alice.refused(404, 1003, 'DELETE', `/api/files/${root}`);
  await alice.refused(404, 1003, 'GET', `/api/files/download/${root}`);
  await alice.refused(404, 2404, 'GET', `/api/v2/files/${root}`);
  assert.deepEqual(await alice.names(), DEFAULTS);
});

test('the details of a record tell its digest', async () => {
  const alice = await holdall.register('alice');
  const file = await alice.upload('/abc', 'abc');
  assert.deepEqual(await alice.details(file), {
    ...file,
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    metadata: {},
  });
  const directory = await alice.mkdir('/directory');
  assert.deepEqual(await alice.details(directory), { ...directory, sha256: null, metadata: {} });
});

function refuse(
  person: Person,
  act: 'move' | 'copy',
  entry: EntryRecord,
  path: string | undefined,
  status: number,
  code = 1003,
) {
  const method = act === 'move' ? 'PATCH' : 'POST';
  return person.refused(status, code, method, `/api/files/${entry.id}/${act}`, { body: { path } });
}

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
