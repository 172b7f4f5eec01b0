// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY, MINUTE } from '../../../src/base/clock.ts';
import { toTimestamp } from '../../../src/base/dates.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { find, pathsFound } from '../../support/drive/search.ts';

const holdall = await startHoldall();

describe('a search by name', () => {
  test('finds files and directories at any depth, and nothing else', async () => {
    const alice = await holdall.register('alice');
    const report = await alice.upload('/work/2026/Annual Report.pdf', 'bytes', 'application/pdf');
    const directory = await alice.mkdir('/reports');
    await alice.upload('/reports/other.txt', 'x');
    const page = await find(alice, { name: 'report' });
    assert.deepEqual(page, { items: [directory, report], total: 2, page: 0, size: 20 });
  });

  for (const [needle, found] of [
    ['%', ['100%.txt']],
    ['_', ['under_score']],
    ['%_', []],
    ['a*', ['a*b']],
    ["'", ["o'clock"]],
    ['"quoted"', ['say "quoted"']],
    ['AND "b', []],
    ['" OR "', []],
    ['\\', []],
    [' ', ['say "quoted"', 'two  blanks']],
    ['  ', ['two  blanks']],
    ['o  b', ['two  blanks']],
    ['-', ['-minus']],
    ['(NEAR', ['(near)']],
    ['?', ['who?']],
    ['$1', ['$1']],
    ['{', []],
  ] as const) {
    test(`treats ${JSON.stringify(needle)} literally`, async () => {
      assert.deepEqual(
        await pathsFound(await registerWithLiterals(), { name: needle }),
        found.map((name) => `/${name}`),
      );
    });
  }

  for (const [needle, name] of [
    ['STRASSE', 'strasse'],
    ['ärger', 'ÄRGER.txt'],
    ['ÄRG', 'ärger'],
    ['a\u0308rger', 'Ärger'],
    ['ärger', 'A\u0308rger'],
    ['ПРИВЕТ', 'привет мир'],
    ['ΟΔΟΣ', 'η οδός οδοσ'],
    ['οδος', 'ΟΔΟΣ'],
    ['写真', '2026写真アルバム'],
    ['真', '2026写真アルバム'],
    ['写真アル', '2026写真アルバム'],
    ['👍👎', 'so 👍👎 so'],
    ['👍👎👍', '👍👎👍👎'],
    ['İ', 'İstanbul'],
    ['\u{10ffff}', 'highest \u{10ffff}'],
  ] as const) {
    test(`finds "${needle}" in "${name}"`, async () => {
      const alice = await holdall.register('alice');
      const file = await alice.upload(`/${name}`, 'x');
      assert.deepEqual((await find(alice, { name: needle })).items, [file]);
    });
  }

  for (const [what, needle] of [
    ['longer than any name', 'x'.repeat(1_024)],
    ['as long as a name may be', 'y'.repeat(255)],
    ['a control character', 'a\u0001b'],
    ['a slash', 'work/2026'],
    ['a line break', 'a\nb'],
  ] as const) {
    test(`finds nothing for a text that is ${what}`, async () => {
      assert.deepEqual(await find(await registerWithLiterals(), { name: needle }), {
        items: [],
        total: 0,
        page: 0,
        size: 20,
      });
    });
  }

  test('finds a whole name of 255 bytes', async () => {
    const alice = await holdall.register('alice');
    const name = `${'Ⱥ'.repeat(127)}x`;
    const file = await alice.upload(`/${name}`, 'x');
    assert.deepEqual((await find(alice, { name })).items, [file]);
    assert.deepEqual((await find(alice, { name: name.toLowerCase() })).items, [file]);
  });
});

const LITERALS = [
  '100%.txt',
  'under_score',
  'a*b',
  "o'clock",
  'say "quoted"',
  'two  blanks',
  '-minus',
  '(near)',
  'who?',
  '$1',
];

let ofLiterals: Promise<Person> | undefined;

/** Returns a user who has a directory for each of those names. */
function registerWithLiterals(): Promise<Person> {
  ofLiterals ??= (async () => {
    const alice = await holdall.register('alice');
    for (const name of LITERALS) await alice.mkdir(`/${name}`);
    return alice;
  })();
  return ofLiterals;
}

describe('a filter', () => {
  test('includes both ends of a range', async () => {
    const alice = await holdall.register('alice');
    const [small, large] = [
      await alice.upload('/small', 'x'.repeat(10)),
      await alice.upload('/large', 'x'.repeat(20)),
    ];
    const below = await alice.upload('/d/in d', 'x'.repeat(15));
    holdall.clock.advance(5 * MINUTE);
    const late = await alice.upload('/late', 'x'.repeat(20));
    const renamed = await alice.rename(small, 'renamed');
    for (const [query, expected] of [
      [{ sizeGte: 10, sizeLte: 15 }, [below, renamed]],
      [{ sizeGte: 20 }, [large, late]],
      [{ sizeLte: 0, type: 'file' }, []],
      [{ sizeGte: 20, sizeLte: 10 }, []],
      [{ createdGte: late.createdAt, type: 'file' }, [late]],
      [{ createdLte: large.createdAt, type: 'file' }, [large, renamed]],
      [{ updatedGte: late.createdAt }, [late, renamed]],
      [
        { updatedGte: renamed.updatedAt, updatedLte: renamed.updatedAt, createdLte: small.createdAt },
        [renamed],
      ],
      [{ updatedLte: below.updatedAt, type: 'file' }, [below, large]],
      [{ name: 'e', sizeGte: 20, createdGte: late.createdAt }, [late]],
      [{ createdGte: toTimestamp(holdall.clock.now() + DAY) }, []],
    ] as const) {
      const { items, total } = await find(alice, query);
      assert.deepEqual([items, total], [expected, expected.length], JSON.stringify(query));
    }
  });

  test('selects files or directories', async () => {
    const alice = await holdall.register('alice');
    const [file, directory] = [await alice.upload('/a file', 'x'), await alice.mkdir('/a directory')];
    for (const [type, expected] of [
      ['file', [file]],
      ['directory', [directory]],
      ['folder', [directory]],
      ['all', [directory, file]],
    ] as const) {
      assert.deepEqual((await find(alice, { name: 'a ', type })).items, expected, type);
    }
  });

  test('without conditions finds the whole drive without its root', async () => {
    const alice = await holdall.register('alice');
    await alice.upload('/d/e/file', 'x');
    assert.deepEqual(await pathsFound(alice, {}), [
      '/d',
      '/Documents',
      '/Downloads',
      '/d/e',
      '/d/e/file',
      '/Pictures',
    ]);
    assert.deepEqual(await pathsFound(alice, { name: '', type: 'file' }), ['/d/e/file']);
  });

  test('accepts times with or without a zone, and reads those without as UTC', async () => {
    const alice = await holdall.register('alice');
    const { createdAt } = await alice.upload('/file', 'x');
    const withZone = createdAt.replace('Z', '+00:00');
    for (const moment of [createdAt, createdAt.slice(0, -1), withZone]) {
      assert.deepEqual(await pathsFound(alice, { type: 'file', createdGte: moment, createdLte: moment }), [
        '/file',
      ]);
    }
    const east = `${toTimestamp(Date.parse(createdAt) + 120 * MINUTE).slice(0, -1)}+02:00`;
    assert.deepEqual(await pathsFound(alice, { type: 'file', updatedGte: east, updatedLte: east }), [
      '/file',
    ]);
  });

  test('restricts the search to entries below a directory', async () => {
    const alice = await holdall.register('alice');
    await alice.upload('/a/b/c/file 1', 'x');
    await alice.upload('/a/file 2', 'x');
    await alice.upload('/file 3', 'x');
    await alice.upload('/ab/file 4', 'x');
    assert.deepEqual(await pathsFound(alice, { name: 'file', path: '/a' }), ['/a/b/c/file 1', '/a/file 2']);
    assert.deepEqual(await pathsFound(alice, { path: '/a/b/' }), ['/a/b/c', '/a/b/c/file 1']);
    assert.deepEqual(await pathsFound(alice, { name: 'file', path: '/', type: 'file' }), [
      '/a/b/c/file 1',
      '/a/file 2',
      '/file 3',
      '/ab/file 4',
    ]);
    await alice.refused(404, 2404, 'GET', '/api/v2/files/search?path=/missing');
    await alice.refused(404, 2404, 'GET', `/api/v2/files/search?path=${encodeURIComponent('/file 3')}`);
    await alice.refused(400, 2400, 'GET', '/api/v2/files/search?path=/a/..');
  });
});

test('an equal name comes first, then names that begin with the text, then the others, each group by name', async () => {
  const alice = await holdall.register('alice');
  const first = await alice.upload('/1/REPORT', 'x');
  const second = await alice.upload('/2/report', 'x');
  for (const name of ['a report', 'Report b', 'report A', 'reporter', 'my Report', 'reports.pdf']) {
    await alice.upload(`/${name}`, 'x');
  }
  const { items } = await find(alice, { name: 'Report' });
  assert.deepEqual(
    items.map((item) => item.filename),
    ['REPORT', 'report', 'report A', 'Report b', 'reporter', 'reports.pdf', 'a report', 'my Report'],
  );
  assert.deepEqual(items.slice(0, 2), [first, second]);
});

test('each match is on one page only, and each page has the total', async () => {
  const alice = await holdall.register('alice');
  for (let number = 0; number < 23; number += 1)
    await alice.upload(`/${number % 4}/${number % 3} file`, 'x').catch(() => {});
  const all = await find(alice, { name: 'file', size: 1_000 });
  assert.equal(all.total, 12);
  const walked = [];
  for (let page = 0; page < 4; page += 1) {
    const part = await find(alice, { name: 'file', size: 5, page });
    assert.deepEqual([part.total, part.page, part.size], [12, page, 5]);
    walked.push(...part.items);
  }
  assert.deepEqual(walked, all.items);
  assert.equal((await find(alice, { name: 'file', size: 2_000 })).size, 1_000);
});

for (const query of [
  'type=link',
  'type=FILE',
  'type=',
  'sizeGte=-1',
  'sizeGte=x',
  'sizeLte=1.5',
  'sizeLte=99999999999999999999',
  'createdGte=yesterday',
  'createdLte=2026-02-30T00:00:00',
  'updatedGte=',
  'updatedLte=1700000000000',
  'page=-1',
  'size=0',
  'name=a&name=b',
]) {
  test(`"${query}" is rejected`, async () => {
    const alice = await registerWithLiterals();
    await alice.refused(400, 2400, 'GET', `/api/v2/files/search?${query}`);
  });
}

test('a search requires a login', async () => {
  await holdall.anonymous.refused(401, 2401, 'GET', '/api/v2/files/search?name=a');
});

describe('a name', () => {
  test('is found as soon as it exists, under its new name after a rename, and not while it is in the bin', async () => {
    const alice = await holdall.register('alice');
    const tree = await alice.mkdir('/tree');
    const file = await alice.upload('/tree/pineapple', 'x');
    assert.deepEqual(await pathsFound(alice, { name: 'neapp' }), ['/tree/pineapple']);
    await alice.rename(file, 'strawberry');
    assert.deepEqual(await pathsFound(alice, { name: 'neapp' }), []);
    assert.deepEqual(await pathsFound(alice, { name: 'wber' }), ['/tree/strawberry']);
    await alice.rename(tree, 'moved');
    assert.deepEqual(await pathsFound(alice, { name: 'wber' }), ['/moved/strawberry']);
    await alice.recycle(tree);
    assert.deepEqual(await pathsFound(alice, { name: 'wber' }), []);
    await alice.restore(tree);
    assert.deepEqual(await pathsFound(alice, { name: 'wber' }), ['/moved/strawberry']);
    await alice.copy(tree, '/Documents');
    assert.deepEqual(await pathsFound(alice, { name: 'wber' }), [
      '/moved/strawberry',
      '/Documents/moved/strawberry',
    ]);
    await alice.recycle(tree);
    await alice.purge(tree);
    assert.deepEqual(await pathsFound(alice, { name: 'wber' }), ['/Documents/moved/strawberry']);
    await checkBooks(holdall);
  });
});

test('more entries than an index batch holds are all found, also when renamed, until they are purged', async () => {
  const alice = await holdall.register('alice');
  await alice.upload('/grove/0/oak tree', 'x');
  await alice.upload('/grove/0/ash tree', 'x');
  for (let doubling = 1; doubling <= 7; doubling += 1) {
    const { items } = await alice.list('/grove');
    const { path } = await alice.mkdir(`/grove/${doubling}`);
    for (const item of items) await alice.copy(item, path);
  }
  const { items: oaks, total } = await find(alice, { name: 'oak tree', size: 1_000 });
  assert.equal(total, 128);
  assert.equal(new Set(oaks.map((oak) => oak.path)).size, 128);

  // The copy makes the index add all pending names, including the new ones.
  for (const oak of oaks.slice(0, 20)) await alice.rename(oak, 'elm tree');
  const grove = (await alice.list('/')).items.find((entry) => entry.filename === 'grove');
  assert.ok(grove);
  await alice.copy(grove, '/Documents');
  assert.equal((await find(alice, { name: 'oak' })).total, 216);
  assert.equal((await find(alice, { name: 'elm tree' })).total, 40);
  await checkBooks(holdall, { deep: false });

  await alice.recycle(grove);
  assert.equal((await find(alice, { name: 'oak tree' })).total, 108);
  await alice.purge(grove);
  assert.equal((await find(alice, { name: 'oak tree' })).total, 108);
  await checkBooks(holdall, { deep: false });
});

describe("other people's entries", () => {
  test('are neither found nor counted, and their directories cannot be searched', async () => {
    const [alice, mallory] = [await holdall.register('alice'), await holdall.register('mallory')];
    for (const person of [alice, mallory]) await person.upload('/shared name/the same file', person.username);
    await mallory.upload('/hers alone', 'x');
    for (const query of [
      { name: 'same' },
      { name: 'sa' },
      { name: 'the same file' },
      { type: 'file' },
      { sizeGte: 1 },
      { path: '/shared name' },
      { name: 'SAME', page: 1 },
    ]) {
      const { items, total } = await find(alice, query);
      assert.equal(total, 1, JSON.stringify(query));
      assert.ok(items.every((item) => item.path === '/shared name/the same file'));
    }
    assert.equal((await find(alice, { name: 'hers alone' })).total, 0);
    assert.equal((await find(alice, {})).total, 5);
    const secret = await mallory.mkdir('/secret');
    await alice.refused(404, 2404, 'GET', `/api/v2/files/search?path=${secret.path}`);
  });
});
