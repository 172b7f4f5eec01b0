// tier: default
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, it, mock } from 'node:test';
import { createDurableDirectory } from './durable-directory.ts';

const root = fs.mkdtempSync(path.join(tmpdir(), 'holdall-directory-'));
after(() => fs.rmSync(root, { recursive: true }));
afterEach(() => {
  mock.restoreAll();
  syncBuiltinESMExports();
});

it('flushes the parent of every directory that it creates', () => {
  const flushed: string[] = [];
  const { fsyncSync } = fs;
  mock.method(fs, 'fsyncSync', (descriptor: number) => {
    flushed.push(fs.readlinkSync(`/proc/self/fd/${descriptor}`));
    fsyncSync(descriptor);
  });
  syncBuiltinESMExports();
  createDurableDirectory(path.join(root, 'a', 'b'));
  assert.deepEqual(flushed.toSorted(), [root, path.join(root, 'a')]);
  assert.equal(fs.statSync(path.join(root, 'a', 'b')).mode & 0o777, 0o700);
});

it('leaves an existing directory alone', () => {
  const existing = path.join(root, 'existing');
  fs.mkdirSync(existing, { mode: 0o755 });
  const flushes = mock.method(fs, 'fsyncSync');
  syncBuiltinESMExports();
  createDurableDirectory(existing);
  assert.equal(flushes.mock.callCount(), 0);
  assert.equal(fs.statSync(existing).mode & 0o777, 0o755);
});

it('reports that the path is a file', () => {
  const file = path.join(root, 'file');
  fs.writeFileSync(file, '');
  assert.throws(() => createDurableDirectory(file), {
    message: `${file} must be a directory, but it is a file or is below one.`,
  });
  assert.throws(() => createDurableDirectory(path.join(file, 'below')), /must be a directory/);
});
