// tier: default
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { nameOf } from './expected-tree.ts';
import { makeUpFiles } from './made-up-files.ts';
import { generatedFile } from './source-file.ts';
import { collectSourceTree } from './source-tree.ts';

test('the tree has at least 3,000 files and no path twice', () => {
  const paths = collectSourceTree().files.map((file) => file.path.normalize('NFC'));
  assert.ok(paths.length >= 3_000);
  assert.equal(new Set(paths).size, paths.length);
});

test('four generated names have exactly the maximum length, and none is longer', () => {
  const lengths = makeUpFiles().files.map((file) => Buffer.byteLength(nameOf(file.path).normalize('NFC')));
  assert.equal(Math.max(...lengths), 255);
  assert.equal(lengths.filter((length) => length === 255).length, 4);
});

test('the deepest generated file is 30 directories deep', () => {
  const depths = makeUpFiles().files.map((file) => file.path.split('/').length - 1);
  assert.equal(Math.max(...depths), 30);
});

test('a generated file has its size and is the same every time', async () => {
  const file = generatedFile('x', 2_500_000, 7);
  const [first, second] = [await hash(file.open()), await hash(file.open())];
  assert.equal(first.size, 2_500_000);
  assert.equal(first.sha256, second.sha256);
  assert.notEqual(first.sha256, (await hash(generatedFile('x', 2_500_000, 8).open())).sha256);
});

async function hash(bytes: AsyncIterable<Buffer>): Promise<{ size: number; sha256: string }> {
  const digest = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    digest.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: digest.digest('hex') };
}
