import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DiskDirectories } from './directories.ts';
import { DirectoryFlush } from './directory-flush.ts';

describe('DiskDirectories', () => {
  let root: string;
  let flushed: string[];
  let flushNow: (directory: string) => Promise<void>;
  let directories: DiskDirectories;
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'holdall-directories-'));
    flushed = [];
    flushNow = async () => {};
    directories = new DiskDirectories(
      root,
      new DirectoryFlush((directory) => {
        flushed.push(path.relative(root, directory));
        return flushNow(directory);
      }),
    );
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('flushes each directory it makes in its parent, from above', async () => {
    await directories.ensure(path.join(root, 'a', 'b'));
    assert.deepEqual(flushed, ['', 'a']);
    assert.deepEqual(await readdir(path.join(root, 'a')), ['b']);
  });

  it('does nothing for a directory that is known', async () => {
    await directories.ensure(path.join(root, 'a'));
    await directories.ensure(path.join(root, 'a'));
    assert.deepEqual(flushed, ['']);
  });

  it('flushes a directory that was there before, because nobody says that it is durable', async () => {
    await mkdir(path.join(root, 'a'));
    await directories.ensure(path.join(root, 'a'));
    assert.deepEqual(flushed, ['']);
  });

  it('makes a missing root, and flushes it where it was made', async () => {
    await rmdir(root);
    await directories.ensure(path.join(root, 'a'));
    assert.deepEqual(flushed, ['..', '']);
  });

  it('lets a second writer wait until the directory is durable', async () => {
    const held = Promise.withResolvers<void>();
    flushNow = () => held.promise;
    const first = directories.ensure(path.join(root, 'a'));
    while (flushed.length === 0) await new Promise((resolve) => setImmediate(resolve));
    let isSecondDone = false;
    const second = directories.ensure(path.join(root, 'a')).then(() => {
      isSecondDone = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isSecondDone, false);
    held.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(flushed, ['']);
  });

  it('does not remember a directory whose flush failed', async () => {
    flushNow = () => Promise.reject(new Error('lost'));
    await assert.rejects(directories.ensure(path.join(root, 'a')), /lost/);
    flushNow = async () => {};
    await directories.ensure(path.join(root, 'a'));
    assert.deepEqual(flushed, ['', '']);
  });

  it('begins again when the parent is removed while the directory is made', async () => {
    await directories.ensure(path.join(root, 'a'));
    await rmdir(path.join(root, 'a'));
    await directories.ensure(path.join(root, 'a', 'b'));
    assert.deepEqual(await readdir(path.join(root, 'a')), ['b']);
  });

  it('removes empty directories upwards, and knows them no longer', async () => {
    await directories.ensure(path.join(root, 'a', 'b', 'c'));
    await directories.ensure(path.join(root, 'a', 'd'));
    await directories.removeEmpty(path.join(root, 'a', 'b', 'c'));
    assert.deepEqual(await readdir(path.join(root, 'a')), ['d']);
    await directories.ensure(path.join(root, 'a', 'b', 'c'));
    assert.deepEqual(await readdir(path.join(root, 'a', 'b')), ['c']);
  });

  it('never removes the root', async () => {
    await directories.removeEmpty(path.join(root, 'a'));
    await directories.removeEmpty(root);
    assert.deepEqual(await readdir(root), []);
  });
});
