// tier: default
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

  it('flushes the parent of each directory it creates, from the top down', async () => {
    await directories.ensure(path.join(root, 'a', 'b'));
    assert.deepEqual(flushed, ['', 'a']);
    assert.deepEqual(await readdir(path.join(root, 'a')), ['b']);
  });

  it('does nothing for a known directory', async () => {
    await directories.ensure(path.join(root, 'a'));
    await directories.ensure(path.join(root, 'a'));
    assert.deepEqual(flushed, ['']);
  });

  it('flushes the parent of an existing directory, which may not be durable yet', async () => {
    await mkdir(path.join(root, 'a'));
    await directories.ensure(path.join(root, 'a'));
    assert.deepEqual(flushed, ['']);
  });

  it('creates a missing root and flushes its parents', async () => {
    await rmdir(root);
    await directories.ensure(path.join(root, 'a'));
    assert.deepEqual(flushed, ['..', '']);
  });

  it('makes a second writer wait until the directory is durable', async () => {
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

  it('does not treat a directory as known when its flush failed', async () => {
    flushNow = () => Promise.reject(new Error('lost'));
    await assert.rejects(directories.ensure(path.join(root, 'a')), /lost/);
    flushNow = async () => {};
    await directories.ensure(path.join(root, 'a'));
    assert.deepEqual(flushed, ['', '']);
  });

  it('starts again when the parent is removed meanwhile', async () => {
    await directories.ensure(path.join(root, 'a'));
    await rmdir(path.join(root, 'a'));
    await directories.ensure(path.join(root, 'a', 'b'));
    assert.deepEqual(await readdir(path.join(root, 'a')), ['b']);
  });

  it('removes empty directories upwards, which are then no longer known', async () => {
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
