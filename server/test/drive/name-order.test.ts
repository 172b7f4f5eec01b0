// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { readArchive } from '../../src/formats/zip/reading/reader.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Listing, Person } from '../support/app/person.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';
import { linkFolder, Visitor } from '../support/folder-links/folder-links.ts';

const NAMES = [
  'ähnlich 1',
  'Ahnlich 2',
  'chapter 2',
  'Chapter 10',
  'IMG_9',
  'IMG_10',
  'zebra',
  '第2章',
  '第10章',
];
const DIRECTORIES = ['part 3', 'part 20'];

const holdall = await startHoldall();
let alice: Person;

before(async () => {
  alice = await holdall.register('alice');
  for (const name of NAMES.toReversed()) await alice.upload(`/book/${name}`);
  for (const name of DIRECTORIES.toReversed()) await alice.mkdir(`/book/${name}`);
});

const search = (query: string) => alice.ask<Listing>('GET', `/api/v2/files/search?${query}`);

async function entryAt(name: string): Promise<EntryRecord> {
  return (await alice.list()).items.find(({ filename }) => filename === name) ?? assert.fail();
}

async function namesBy(query: Record<string, string>): Promise<readonly string[]> {
  const names: string[] = [];
  for (let page = 0; ; page += 1) {
    const { items } = await alice.list('/book', { ...query, page, size: 4 });
    if (items.length === 0) return names;
    names.push(...items.map(({ filename }) => filename));
  }
}

test('a directory lists its entries in natural order, as people count and spell', async () => {
  assert.deepEqual(await namesBy({}), [...DIRECTORIES, ...NAMES]);
  assert.deepEqual(await namesBy({ order: 'desc' }), [...DIRECTORIES.toReversed(), ...NAMES.toReversed()]);
  const mixed = [...NAMES.slice(0, 6), ...DIRECTORIES, ...NAMES.slice(6)];
  assert.deepEqual(await namesBy({ sort: 'name' }), mixed);
  assert.deepEqual(await namesBy({ sort: 'name', order: 'desc' }), mixed.toReversed());
});

test('a folder link lists its entries in natural order', async () => {
  const visitor = new Visitor(holdall.url, await linkFolder(alice, await entryAt('book')));
  assert.deepEqual(await visitor.namesAt(), [...DIRECTORIES, ...NAMES]);
});

test('a search lists its matches in natural order', async () => {
  const found = await search('name=chapter');
  assert.deepEqual(
    found.items.map(({ filename }) => filename),
    ['chapter 2', 'Chapter 10'],
  );
  const { items } = await search('q=img');
  assert.deepEqual(
    items.map(({ filename }) => filename),
    ['IMG_9', 'IMG_10'],
  );
  const beginning = await search('name=img_1');
  assert.deepEqual(
    beginning.items.map(({ filename }) => filename),
    ['IMG_10'],
  );
});

test('WebDAV lists the members of a collection in natural order', async () => {
  const client = await asDavClient(alice);
  const names = await client.names('/dav/book/');
  assert.deepEqual(
    names.filter((name) => !DIRECTORIES.includes(name)),
    NAMES,
  );
});

test('an archive has its files in natural order', async () => {
  const { id } = await entryAt('book');
  const bytes = Buffer.from(await (await alice.fetch('GET', `/api/files/download/${id}`)).arrayBuffer());
  const archive = {
    size: bytes.byteLength,
    read: async ({ start, end }: { start: number; end: number }) => bytes.subarray(start, end + 1),
    open: async () => assert.fail('Nothing is extracted.'),
  };
  const { entries } = await readArchive(archive, { maxEntries: 100, maxRatio: 1_000 });
  const files = entries.map(({ name }) => name).filter((name) => !name.endsWith('/'));
  assert.deepEqual(
    files,
    NAMES.map((name) => `book/${name}`),
  );
});

test('a renamed or copied entry is listed in its place in the natural order', async () => {
  const names = async () => (await alice.names('/moves')).join(', ');
  const first = await alice.upload('/moves/b 1');
  await alice.upload('/moves/b 30');
  await alice.rename(first, 'b 100');
  assert.equal(await names(), 'b 30, b 100');
  const copy = await alice.copy(await entryAt('moves'), '/book');
  assert.equal((await alice.names(copy.path)).join(', '), 'b 30, b 100');
});
