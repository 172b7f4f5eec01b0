// tier: default
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { digestFile, RowFileWriter, readRowFile } from './row-file.ts';

const directory = await mkdtemp(path.join(tmpdir(), 'holdall-rows-'));
after(() => rm(directory, { recursive: true }));

test('any JSON values are read as they were written', async () => {
  const file = path.join(directory, 'all.jsonl');
  const values = [
    [1, null, 'a\nb\r\u2028\u2029\u0000'],
    ['\ud800 😀', 2 ** 53 - 1, ''],
    [],
    'x'.repeat(200_000),
  ];
  const writer = await RowFileWriter.create(file);
  await writer.write(values.slice(0, 2));
  await writer.write([]);
  await writer.write(values.slice(2));
  const digest = await writer.finish();
  await writer.close();
  assert.deepEqual(digest, await digestFile(file));
  assert.equal(digest.lines, 4);
  const found: unknown[] = [];
  for await (const some of readRowFile(file)) found.push(...some);
  assert.deepEqual(found, values);
  await assert.rejects(RowFileWriter.create(file), /EEXIST/);
});

test('everything that was written is flushed before the file counts as finished', async (context) => {
  const writer = await RowFileWriter.create(path.join(directory, 'flushed.jsonl'));
  const calls: string[] = [];
  const handle = await open(path.join(directory, 'flushed.jsonl'));
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  for (const name of ['appendFile', 'sync']) {
    const call = prototype[name];
    context.mock.method(prototype, name, function (this: unknown, ...words: unknown[]) {
      calls.push(name);
      return call.apply(this, words);
    });
  }
  await writer.write([1]);
  await writer.write([2]);
  await writer.finish();
  await writer.close();
  assert.deepEqual(calls, ['appendFile', 'appendFile', 'sync']);
});

test('a truncated file is rejected', async () => {
  const file = path.join(directory, 'cut.jsonl');
  await appendFile(file, '[1]\n[2');
  await assert.rejects(async () => {
    for await (const _some of readRowFile(file));
  }, /ends in the middle of a line/);
});
