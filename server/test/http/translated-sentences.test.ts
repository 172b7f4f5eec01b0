// tier: default
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { MAX_TREE_ENTRIES, overTreeSize } from '../../src/drive/entries/tree-size.ts';
import { overEntries, overReserved } from '../../src/drives/drives.ts';
import { toDiskFailure } from '../../src/storage/disk/file-system/failures.ts';
import { FreeSpace } from '../../src/storage/disk/file-system/free-space.ts';
import { overOwnShare } from '../../src/transfer/offline/storage-limit.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
const SENTENCES = path.join(ROOT, 'web', 'src', 'common', 'service-sentences.ts');

test('the web client translates the exact sentences that the service sends', async () => {
  const disk = { totalBytes: 1, freeBytes: 1, availableBytes: 1 };
  const space = new FreeSpace({
    directory: '/data',
    minBytes: 2,
    clock: { now: () => 0 },
    measure: async () => disk,
  });
  const failures = [
    overReserved(),
    overEntries(),
    overTreeSize(MAX_TREE_ENTRIES, 'copied'),
    overTreeSize(MAX_TREE_ENTRIES, 'downloaded'),
    overOwnShare(),
    toDiskFailure(Object.assign(new Error('full'), { code: 'ENOSPC' })),
    await space.findRefusal(),
  ];
  const known = await readFile(SENTENCES, 'utf8');
  for (const failure of failures)
    assert.ok(failure && known.includes(`'${failure.message}'`), String(failure));
});

test('the sentences about directories and drives that the web client replaces exist in the service', async () => {
  const known = await readFile(SENTENCES, 'utf8');
  const server = path.join(ROOT, 'server', 'src');
  const files = globSync('{accounts,base/domain,drive,drives}/**/*.ts', { cwd: server });
  const sources = (await Promise.all(files.map((file) => readFile(path.join(server, file), 'utf8')))).join(
    '\n',
  );
  const sentences = [...known.matchAll(/'([^']*\b(?:directory|such)\b[^']*\.)'/g)].map(
    ([, sentence]) => sentence,
  );
  assert.ok(sentences.length >= 4);
  for (const sentence of sentences) assert.ok(sources.includes(`'${sentence}'`), sentence);
});
