// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Picked } from './picked-files.ts';
import { placeIn, readInput } from './picked-files.ts';
import { walkEntries } from './walk-entries.ts';

/** `null` stands for an unreadable file, and `undefined` for an unreadable folder. */
type Content = Tree | string | null | undefined;
type Tree = { readonly [name: string]: Content };

const READ_AT_ONCE = 2;

/** An entry as a browser provides it. A folder returns a few of its entries at a time. */
function entryOf(name: string, content: Content): FileSystemEntry {
  const isDirectory = typeof content !== 'string' && content !== null;
  const entry = {
    name,
    isDirectory,
    isFile: !isDirectory,
    file: (resolve: (file: File) => void, reject: () => void) =>
      typeof content === 'string' ? resolve(new File([content], name)) : reject(),
    createReader: () => {
      const left = Object.entries(content ?? {}).map(([child, below]) => entryOf(child, below));
      return {
        readEntries: (give: (entries: unknown[]) => void, fail: () => void) =>
          content === undefined ? fail() : give(left.splice(0, READ_AT_ONCE)),
      };
    },
  };
  // It has only the members that the walk uses.
  return entry as unknown as FileSystemEntry;
}

async function walkAll(...entries: FileSystemEntry[]) {
  const found: Picked[] = [];
  const unreadable: string[] = [];
  const dropped = entries.map((entry) => ({ entry }));
  for await (const some of walkEntries(dropped, (path) => unreadable.push(path))) found.push(...some);
  return { found, unreadable };
}

const walk = async (...entries: FileSystemEntry[]) => (await walkAll(...entries)).found;

const placesOf = (found: readonly Picked[], path = '/') =>
  found
    .map((picked) => placeIn(path, picked))
    .map(({ directoryPath, name }) => `${directoryPath}:${name}`)
    .sort();

test('a folder is read completely, even if only a few entries arrive at a time', async () => {
  const folder = entryOf('trip', { 'a.jpg': 'a', 'b.jpg': 'b', 'c.jpg': 'c', notes: { 'd.txt': 'd' } });
  const found = await walk(folder, entryOf('single.txt', 's'));
  assert.deepEqual(placesOf(found), [
    '/:single.txt',
    '/trip/notes:d.txt',
    '/trip:a.jpg',
    '/trip:b.jpg',
    '/trip:c.jpg',
  ]);
  assert.deepEqual(placesOf(found, '/docs').at(0), '/docs/trip/notes:d.txt');
});

test('only empty folders are reported themselves', async () => {
  const found = await walk(entryOf('out', { in: { empty: {} }, 'a.txt': 'a' }));
  assert.deepEqual(placesOf(found), ['/out/in:empty', '/out:a.txt']);
  assert.equal(found.find(({ file }) => file === undefined)?.folders.join(), 'out,in,empty');
});

test('an unreadable file does not stop the others, and is reported with its path', async () => {
  const odd = entryOf('odd', { in: { pipe: null }, 'a.txt': 'a', 'b.txt': null });
  const { found, unreadable } = await walkAll(odd, entryOf('single', null));
  assert.deepEqual(placesOf(found), ['/odd:a.txt']);
  assert.deepEqual(unreadable.toSorted(), ['odd/b.txt', 'odd/in/pipe', 'single']);
});

test('an unreadable folder is reported, not uploaded as an empty one', async () => {
  const { found, unreadable } = await walkAll(entryOf('out', { locked: undefined, 'a.txt': 'a' }));
  assert.deepEqual(placesOf(found), ['/out:a.txt']);
  assert.deepEqual(unreadable, ['out/locked']);
});

test('a folder input provides the location of each file', () => {
  const file = (name: string, webkitRelativePath: string) =>
    Object.defineProperty(new File([], name), 'webkitRelativePath', { value: webkitRelativePath });
  const found = readInput([file('a.txt', 'trip/notes/a.txt'), file('b.txt', '')]);
  assert.deepEqual(placesOf(found, '/x'), ['/x/trip/notes:a.txt', '/x:b.txt']);
});
