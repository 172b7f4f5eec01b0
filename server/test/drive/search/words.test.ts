// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY } from '../../../src/base/clock.ts';
import { toTimestamp } from '../../../src/base/dates.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { formOf } from '../../support/app/person.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { find, pathsFound } from '../../support/drive/search.ts';

const holdall = await startHoldall({ env: { HOLDALL_DEFAULT_DIRECTORIES: 'start' } });

describe('a search by words', () => {
  test('finds names that contain all words, in any order and anywhere', async () => {
    const alice = await holdall.register('alice');
    const names = ['Annual Report 2026.pdf', 'reports, annually', 'Annual plan', 'report', 'report annual/x'];
    for (const name of names) await alice.upload(`/${name}`, 'x');
    assert.deepEqual(await pathsFound(alice, { q: 'report annual' }), [
      '/report annual',
      '/reports, annually',
      '/Annual Report 2026.pdf',
    ]);
    assert.deepEqual(await pathsFound(alice, { q: 'ANNUAL  26 repo' }), ['/Annual Report 2026.pdf']);
    assert.deepEqual(await pathsFound(alice, { q: 'annual report missing' }), []);
    // One word may contain another, and words may overlap.
    assert.deepEqual(await pathsFound(alice, { q: 'reports port ports' }), ['/reports, annually']);
  });

  for (const [q, name] of [
    ['creme', 'Crème brûlée.txt'],
    ['BRULEE crème', 'Crème brûlée.txt'],
    ['crème', 'CREME.txt'],
    ['cre\u0300me', 'creme'],
    ['strasse', 'Hauptstraße'],
    ['straße', 'HAUPTSTRASSE'],
    ['oresund', 'Øresund'],
    ['Lódz', 'łódź 2026'],
    ['istanbul', 'İSTANBUL'],
    ['елка', 'Ёлка'],
    ['写真 2026', '2026写真アルバム'],
    ['ハ', 'ハンドル'],
    ['한국', '한국어'],
    ['ΟΔΟΣ', 'η οδός'],
    ['100%', '100% sure'],
    ['b_c', 'ab_cd'],
    ['"x"', 'say "x"'],
    ["o'cl", "o'clock"],
    ['\\', 'never'],
    ['OR -a*', 'or -a* (near)'],
  ] as const) {
    const isFound = q !== '\\';
    test(`with "${q}" ${isFound ? 'finds' : 'does not find'} "${name}"`, async () => {
      const alice = await holdall.register('alice');
      const entry = await alice.mkdir(`/${name}`);
      assert.deepEqual((await find(alice, { q })).items, isFound ? [entry] : []);
    });
  }

  for (const [q, name] of [
    ['क', 'की'.replace('क', 'ख')],
    ['がき', 'かき'],
    ['パン', 'ハン'],
  ] as const) {
    test(`with "${q}" does not find "${name}", whose letters differ`, async () => {
      const alice = await holdall.register('alice');
      await alice.mkdir(`/${name}`);
      assert.equal((await find(alice, { q })).total, 0);
    });
  }

  test('puts names that begin with the first word first, even with accents', async () => {
    const alice = await holdall.register('alice');
    for (const name of ['my ecole b', 'b ecole', 'École b', 'ecole b 2', 'zz b école', 'Ecole b 1']) {
      await alice.mkdir(`/${name}`);
    }
    assert.deepEqual(await pathsFound(alice, { q: 'ecole b' }), [
      '/École b',
      '/Ecole b 1',
      '/ecole b 2',
      '/b ecole',
      '/my ecole b',
      '/zz b école',
    ]);
    // If both parameters are given, `name` decides the order.
    assert.deepEqual((await pathsFound(alice, { q: 'ecole', name: 'b e' }))[0], '/b ecole');
  });

  test('finds a name as soon as it exists, under its new name after a rename, and not while it is in the bin', async () => {
    const alice = await holdall.register('alice');
    const tree = await alice.mkdir('/tree');
    const file = await alice.upload('/tree/Ananás', 'x');
    assert.deepEqual(await pathsFound(alice, { q: 'anas nana' }), ['/tree/Ananás']);
    await alice.rename(file, 'Müsli');
    assert.deepEqual(await pathsFound(alice, { q: 'ananas' }), []);
    assert.deepEqual(await pathsFound(alice, { q: 'musli' }), ['/tree/Müsli']);
    await alice.copy(tree, '/start');
    assert.equal((await find(alice, { q: 'musli' })).total, 2);
    await alice.recycle(tree);
    assert.deepEqual(await pathsFound(alice, { q: 'musli' }), ['/start/tree/Müsli']);
    await alice.restore(tree);
    assert.equal((await find(alice, { q: 'musli' })).total, 2);
    await checkBooks(holdall);
  });

  test('finds more names with accents than an index batch holds', async () => {
    const alice = await holdall.register('alice');
    await alice.upload('/grove/0/Kastanienbäumchen', 'x');
    await alice.upload('/grove/0/Ölbaum', 'x');
    for (let doubling = 1; doubling <= 7; doubling += 1) {
      const { items } = await alice.list('/grove');
      const { path } = await alice.mkdir(`/grove/${doubling}`);
      for (const item of items) await alice.copy(item, path);
    }
    const { items, total } = await find(alice, { q: 'baumchen', size: 1_000 });
    assert.equal(total, 128);
    for (const item of items.slice(0, 20)) await alice.rename(item, 'Kastanienbaum');
    assert.equal((await find(alice, { q: 'baumchen' })).total, 108);
    assert.equal((await find(alice, { q: 'baum kastanien' })).total, 128);
    assert.equal((await find(alice, { q: 'olbaum' })).total, 128);
    await checkBooks(holdall, { deep: false });
  });

  test('does not find entries of others', async () => {
    const [alice, mallory] = [await holdall.register('alice'), await holdall.register('mallory')];
    await mallory.upload('/secret plan', 'x');
    assert.equal((await find(alice, { q: 'plan secret' })).total, 0);
    assert.equal((await find(alice, { q: 'an' })).total, 0);
  });
});

describe('a text to search', () => {
  test('may have 16 different words, and is rejected with more', async () => {
    const alice = await holdall.register('alice');
    const words = Array.from('abcdefghijklmnop');
    const entry = await alice.mkdir(`/${words.join('')}`);
    assert.deepEqual((await find(alice, { q: words.toReversed().join(' ') })).items, [entry]);
    assert.deepEqual((await find(alice, { q: [...words, ...words].join(' ') })).items, [entry]);
    const many = encodeURIComponent([...words, 'q'].join(' '));
    await alice.refused(400, 2400, 'GET', `/api/v2/files/search?q=${many}`);
  });

  test('may have 1,024 characters, and is rejected with more', async () => {
    const alice = await holdall.register('alice');
    await alice.mkdir('/x');
    assert.equal((await find(alice, { q: 'x '.repeat(512) })).total, 1);
    assert.equal((await find(alice, { q: 'x'.repeat(1_024) })).total, 0);
    assert.equal((await find(alice, { q: ' '.repeat(1_024) })).total, 2);
    await alice.refused(400, 2400, 'GET', `/api/v2/files/search?q=${'x'.repeat(1_025)}`);
  });
});

test('a kind matches the files with a content type of that kind, and no directories', async () => {
  const alice = await holdall.register('alice');
  await alice.mkdir('/directory.jpg');
  for (const [name, type] of [
    ['picture', 'image/jpeg'],
    ['drawing', 'image/svg+xml'],
    ['film', 'video/mp4'],
    ['song', 'audio/flac'],
    ['letter', 'application/pdf'],
    ['table', 'text/csv'],
    ['settings', 'application/json; charset=utf-8'],
    ['text', 'application/vnd.oasis.opendocument.text'],
    ['backup', 'application/zip'],
    ['program', 'application/x-msdownload'],
    ['bytes', 'application/octet-stream'],
  ] as const) {
    await alice.upload(`/${name}`, name, type);
  }
  for (const [kind, names] of [
    ['IMAGE', ['drawing', 'picture']],
    ['VIDEO', ['film']],
    ['AUDIO', ['song']],
    ['DOCUMENT', ['letter', 'settings', 'table', 'text']],
    ['ARCHIVE', ['backup']],
    ['OTHER', ['bytes', 'program']],
  ] as const) {
    assert.deepEqual(
      await pathsFound(alice, { kind }),
      names.map((name) => `/${name}`),
    );
  }
  assert.deepEqual(await pathsFound(alice, { kind: 'DOCUMENT', q: 'te', type: 'file' }), [
    '/text',
    '/letter',
  ]);
  assert.deepEqual(await pathsFound(alice, { kind: 'IMAGE', type: 'directory' }), []);
});

test('filters by size and time include both ends, and all filters combine', async () => {
  const alice = await holdall.register('alice');
  const start = Date.parse((await alice.mkdir('/d')).createdAt);
  const at = (days: number) => toTimestamp(start + days * DAY);
  for (const [path, size, days] of [
    ['/d/one', 1, -30],
    ['/d/two', 2, -20],
    ['/d/e/three', 3, -10],
    ['/four', 4, -20],
  ] as const) {
    const form = formOf(path, 'x'.repeat(size));
    form.set('modifiedAt', at(days));
    await alice.ask('POST', '/api/files/upload', { body: form });
  }
  for (const [query, names] of [
    [{ modifiedFrom: at(-20), modifiedTo: at(-20) }, ['/four', '/d/two']],
    [{ modifiedFrom: at(-20), type: 'file' }, ['/four', '/d/e/three', '/d/two']],
    [{ modifiedTo: at(-21) }, ['/d/one']],
    [{ minSize: 2, maxSize: 3 }, ['/d/e/three', '/d/two']],
    [{ minSize: 2, sizeGte: 3 }, ['/four', '/d/e/three']],
    [{ minSize: 3, sizeGte: 2, maxSize: 3, sizeLte: 4 }, ['/d/e/three']],
    [{ minSize: 4, maxSize: 3 }, []],
    [{ under: '/d', type: 'file' }, ['/d/one', '/d/e/three', '/d/two']],
    [{ under: '/d', path: '/d/e' }, ['/d/e/three']],
    [{ under: '/d/e', path: '/start' }, []],
    [{ under: '/', type: 'file', q: 'o', name: 'o' }, ['/d/one', '/four', '/d/two']],
    [{ under: '/d', q: 'e', modifiedFrom: at(-15), maxSize: 3, kind: 'OTHER', name: 'thr' }, ['/d/e/three']],
    [{ under: '/d', q: 'e', kind: 'IMAGE' }, []],
  ] as const) {
    assert.deepEqual(await pathsFound(alice, query), names, JSON.stringify(query));
  }
});

for (const query of [
  'q=a&q=b',
  'kind=image',
  'kind=',
  'kind=PICTURE',
  'modifiedFrom=yesterday',
  'modifiedTo=',
  'minSize=-1',
  'maxSize=1.5',
  'under=/a/..',
  'under=a&under=b',
]) {
  test(`"${query}" is rejected`, async () => {
    const alice = await holdall.register('alice');
    await alice.refused(400, 2400, 'GET', `/api/v2/files/search?${query}`);
  });
}

test('a directory to search under must exist', async () => {
  const alice = await holdall.register('alice');
  await alice.refused(404, 2404, 'GET', '/api/v2/files/search?under=/missing');
  await alice.refused(404, 2404, 'GET', '/api/v2/files/search?under=/missing&path=/start');
});
