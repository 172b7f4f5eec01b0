// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';

const MAX_TREE = 6;
const holdall = await startHoldall({
  env: { HOLDALL_DEFAULT_DIRECTORIES: 'start' },
  maxTreeEntries: MAX_TREE,
});

async function totalsOf(person: Person, entry: { id: number }) {
  const { totalSize, fileCount, directoryCount } = await person.details(entry);
  return [totalSize, fileCount, directoryCount];
}

test('the details of a directory have the totals of everything below it', async () => {
  const alice = await holdall.register('alice');
  const tree = await alice.mkdir('/tree');
  assert.deepEqual(await totalsOf(alice, tree), [0, 0, 0]);
  await alice.upload('/tree/a/b/large', 'x'.repeat(1_000));
  const small = await alice.upload('/tree/small', 'x');
  await alice.upload('/outside', 'x');
  assert.deepEqual(await totalsOf(alice, tree), [1_001, 2, 2]);
  await alice.recycle(small);
  assert.deepEqual(await totalsOf(alice, tree), [1_000, 1, 2]);
  await alice.restore(small);
  await alice.move(tree, '/start');
  assert.deepEqual(await totalsOf(alice, tree), [1_001, 2, 2]);
});

test('versions of a file do not count in the totals of its directory', async () => {
  const alice = await holdall.register('alice');
  const tree = await alice.mkdir('/tree');
  const { id } = await alice.upload('/tree/file', 'x'.repeat(100));
  await alice.ask('PUT', `/api/v2/files/${id}/content`, { body: 'short' });
  assert.deepEqual(await totalsOf(alice, tree), [5, 1, 0]);
});

test('the details of a file have no totals', async () => {
  const alice = await holdall.register('alice');
  const file = await alice.upload('/file', 'x');
  const details = Object.keys(await alice.details(file));
  for (const member of ['totalSize', 'fileCount', 'directoryCount']) assert.ok(!details.includes(member));
});

test('a directory with the maximum number of entries has totals, and one with more entries has none', async () => {
  const alice = await holdall.register('alice');
  const tree = await alice.mkdir('/tree');
  for (let number = 1; number < MAX_TREE; number += 1) await alice.upload(`/tree/below/${number}`, 'x');
  assert.deepEqual(await totalsOf(alice, tree), [MAX_TREE - 1, MAX_TREE - 1, 1]);
  const more = await alice.mkdir('/tree/more');
  // Empty directories also count, on every level.
  const deep = await alice.mkdir('/deep');
  await alice.mkdir('/deep/1/2/3/4/5/6');
  assert.deepEqual(await totalsOf(alice, deep), [0, 0, MAX_TREE]);
  await alice.mkdir('/deep/1/2/3/4/5/6/7');
  assert.deepEqual(await totalsOf(alice, deep), [null, null, null]);
  assert.deepEqual(await totalsOf(alice, tree), [null, null, null]);
  assert.deepEqual(await totalsOf(alice, more), [0, 0, 0]);
});
