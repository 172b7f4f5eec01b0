// tier: default
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { TestClock } from '../../test/support/app/test-clock.ts';
import { HOUR } from '../base/clock.ts';
import { systemIds } from '../base/ids.ts';
import { ThumbnailCache } from './thumbnail-cache.ts';

const KIB = 1024;

let directory: string;
let clock: TestClock;

beforeEach(async () => {
  directory = path.join(await fs.mkdtemp(path.join(tmpdir(), 'holdall-test-')), 'thumbnails');
  clock = new TestClock();
});
afterEach(() => fs.rm(path.dirname(directory), { recursive: true }));

const open = (maxBytes = 1024 * KIB) => new ThumbnailCache({ directory, maxBytes, clock, ids: systemIds });
const bytesOf = (text: string, size = 10 * KIB) => Buffer.alloc(size, text);

async function listFiles(): Promise<readonly string[]> {
  const entries = await fs.readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((each) => each.isFile()).map((each) => path.join(each.parentPath, each.name));
}

async function countBytes(): Promise<number> {
  const sizes = await Promise.all((await listFiles()).map(async (file) => (await fs.stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe('the thumbnail cache', () => {
  test('returns the bytes of a key, even to another instance', async () => {
    const cache = open();
    assert.equal(await cache.find('a'), undefined);
    await cache.put('a', bytesOf('one'));
    await cache.put('b', bytesOf('two'));
    assert.deepEqual(await cache.find('a'), bytesOf('one'));
    assert.deepEqual(await open().find('b'), bytesOf('two'));
    await cache.put('a', bytesOf('three'));
    assert.deepEqual(await cache.find('a'), bytesOf('three'));
    assert.equal((await listFiles()).length, 2);
  });

  test('never exceeds its limit, and removes the least recently used files first', async () => {
    const cache = open(100 * KIB);
    for (let index = 0; index < 8; index += 1) {
      await cache.put(String(index), bytesOf(String(index)));
      clock.advance(2 * HOUR);
    }
    assert.ok(await cache.find('0'), 'this one is used');
    clock.advance(2 * HOUR);
    for (let index = 8; index < 14; index += 1) {
      await cache.put(String(index), bytesOf(String(index)));
      assert.ok((await countBytes()) <= 100 * KIB);
      clock.advance(2 * HOUR);
    }
    const kept = [];
    for (let index = 0; index < 14; index += 1) {
      if ((await cache.find(String(index))) !== undefined) kept.push(index);
    }
    assert.deepEqual(kept, [0, 6, 7, 8, 9, 10, 11, 12, 13]);
  });

  test('never exceeds its limit when many files are written at the same time', async () => {
    const cache = open(100 * KIB);
    const keys = Array.from({ length: 60 }, (_, index) => String(index));
    await Promise.all(keys.map((key) => cache.put(key, bytesOf(key))));
    assert.ok((await countBytes()) <= 100 * KIB, String(await countBytes()));
    const found = await Promise.all(keys.map(async (key) => [key, await cache.find(key)] as const));
    const kept = found.filter(([, bytes]) => bytes !== undefined);
    assert.ok(kept.length > 0);
    for (const [key, bytes] of kept) assert.deepEqual(bytes, bytesOf(key));
  });

  test('returns complete bytes or none while files are written and removed', async () => {
    const cache = open(30 * KIB);
    const keys = ['a', 'b', 'c', 'd', 'e'];
    const work = Array.from({ length: 40 }, async (_, index) => {
      const key = keys[index % keys.length] ?? '';
      await cache.put(key, bytesOf(key, 9 * KIB));
      const seen = await cache.find(key);
      if (seen !== undefined) assert.deepEqual(seen, bytesOf(key, 9 * KIB));
    });
    await Promise.all(work);
  });

  test('stores nothing larger than its limit, and nothing at all with a limit of 0', async () => {
    for (const maxBytes of [0, 5 * KIB]) {
      const cache = open(maxBytes);
      await cache.put('a', bytesOf('one'));
      assert.deepEqual([await cache.find('a'), (await listFiles()).length], [undefined, 0]);
    }
  });

  test('can be deleted at any time', async () => {
    const cache = open();
    await cache.put('a', bytesOf('one'));
    await fs.rm(directory, { recursive: true });
    assert.equal(await cache.find('a'), undefined);
    await cache.put('a', bytesOf('two'));
    assert.deepEqual(await cache.find('a'), bytesOf('two'));
  });

  test('ignores and replaces files that were cut off, changed or renamed', async () => {
    const cache = open();
    await cache.put('a', bytesOf('one'));
    const [file = ''] = await listFiles();
    const whole = await fs.readFile(file);
    for (const damaged of [
      whole.subarray(0, -1),
      whole.subarray(0, 10),
      Buffer.alloc(0),
      whole.toReversed(),
    ]) {
      await fs.writeFile(file, damaged);
      assert.equal(await cache.find('a'), undefined);
    }
    await cache.put('b', bytesOf('two'));
    const other = (await listFiles()).find((each) => each !== file) ?? '';
    await fs.copyFile(other, file);
    assert.equal(await cache.find('a'), undefined);
    await cache.put('a', bytesOf('one'));
    assert.deepEqual(await cache.find('a'), bytesOf('one'));
  });

  test('does not touch foreign files, and removes the leftovers of crashed writers', async () => {
    const cache = open(100 * KIB);
    await cache.put('a', bytesOf('one'));
    const [file = ''] = await listFiles();
    const foreign = path.join(path.dirname(file), 'notes.txt');
    const left = `${file}.0-1.tmp`;
    const old = new Date(clock.now() - 2 * HOUR);
    for (const name of [foreign, left]) {
      await fs.writeFile(name, bytesOf('x', 200 * KIB));
      await fs.utimes(name, old, old);
    }
    await cache.put('b', bytesOf('two'));
    const files = await listFiles();
    assert.deepEqual([files.includes(foreign), files.includes(left)], [true, false]);
    assert.deepEqual(await cache.find('a'), bytesOf('one'));
  });

  test('leaves nothing behind when the disk fails', async () => {
    const cache = open();
    await cache.put('a', bytesOf('one'));
    const [file = ''] = await listFiles();
    await fs.rm(file);
    // A directory cannot be replaced by a file.
    await fs.mkdir(file);
    await fs.writeFile(path.join(file, 'x'), '');
    await assert.rejects(cache.put('a', bytesOf('two')));
    assert.deepEqual(await listFiles(), [path.join(file, 'x')]);
    assert.equal(await cache.find('a'), undefined);
  });
});
