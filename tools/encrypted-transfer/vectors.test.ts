// tier: default
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { makeVectors } from './vectors.ts';

test('docs/encrypted-transfer.md contains the vectors that this program computes', async () => {
  const page = await readFile(new URL('../../docs/encrypted-transfer.md', import.meta.url), 'utf8');
  const [, json = ''] = /```json\n([^`]+)```/.exec(page) ?? [];
  const vectors = makeVectors();
  assert.deepEqual(JSON.parse(json), vectors);
  assert.ok(page.includes(`\`${vectors.peer.wordListSha256}\``), 'the hash of the list of words');
});
