// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { Search } from '../../../src/drive/search/search.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { createManagedDrive, inDrive, markDeleted } from '../../support/drives/shared-drives.ts';

const holdall = await startHoldall();
const alice = await holdall.register('alice');
const bob = await holdall.register('bob');
const id = await createManagedDrive(holdall, [
  [alice, 'MANAGER'],
  [bob, 'VIEWER'],
]);
const foreign = await createManagedDrive(holdall, [[bob, 'MANAGER']]);

await alice.upload('/own report', 'x');
await inDrive(alice, id).upload('/shared report', 'x');
await inDrive(bob, foreign).upload('/foreign report', 'x');

const search = (person: Person, query: string) =>
  person.ask<{ items: readonly EntryRecord[]; total: number }>('GET', `/api/v2/files/search?${query}`);

test('a search in all drives finds the entries of every drive of the caller, with their drives', async () => {
  const { items, total } = await search(alice, 'drive=all&q=report');
  assert.deepEqual(
    items.map(({ path, driveId, changedBy }) => [path, driveId, changedBy?.accountId]),
    [
      ['/own report', alice.driveId, undefined],
      ['/shared report', id, alice.id],
    ],
  );
  assert.equal(total, 2);
  const page = await search(bob, 'drive=all&name=report&page=1&size=1');
  assert.deepEqual([page.items.map(({ path }) => path), page.total], [['/shared report'], 2]);
});

test('a search in one drive finds only its entries', async () => {
  assert.deepEqual((await search(alice, 'q=report')).total, 1);
  assert.deepEqual((await search(alice, `q=report&drive=${id}`)).items[0]?.path, '/shared report');
  await alice.refused(404, 2404, 'GET', `/api/v2/files/search?q=report&drive=${foreign}`);
});

test('a deleted drive is left out', async () => {
  const deleted = await createManagedDrive(holdall, [[alice, 'MANAGER']]);
  await inDrive(alice, deleted).upload('/deleted report', 'x');
  await markDeleted(holdall, deleted);
  assert.equal((await search(alice, 'drive=all&q=report')).total, 2);
});

test('only a search without a directory takes all drives', async () => {
  const alone = await holdall.register('alone');
  for (const directory of [
    'path=/Documents',
    'under=/Documents',
    'under=/nowhere',
    'path=/&under=/Documents',
  ]) {
    // Also for somebody who has no shared drive.
    for (const person of [alice, alone]) {
      await person.refused(400, 2400, 'GET', `/api/v2/files/search?drive=all&q=report&${directory}`);
    }
  }
  assert.equal((await search(alone, 'drive=all&q=report&under=/')).total, 0);
  await alice.refused(400, 1000, 'GET', '/api/files/list?drive=all');
  await alice.refused(400, 2400, 'GET', '/api/v2/files/search?q=report&drive=every');
});

test('many matches in all drives have the order of few ones, on every page', async () => {
  const [one, two] = [inDrive(bob, foreign), await createManagedDrive(holdall, [[bob, 'MANAGER']])];
  for (const [index, name] of ['mark b', 'mark d', 'a mark', 'mark a', 'the mark', 'mark c'].entries())
    await (index % 2 === 0 ? one : inDrive(bob, two)).upload(`/${name}`, 'x');
  const range = { from: undefined, to: undefined };
  const conditions = {
    ...{ name: undefined, words: 'mark', isDirectory: undefined, kind: undefined, paths: [] },
    ...{ size: range, created: range, updated: range, modified: range },
  };
  const listNames = async (maxFew: number) => {
    const search = new Search(holdall.app.database, maxFew);
    const names: string[] = [];
    for (const page of [0, 1, 2]) {
      const { items, total } = await search.find([foreign, two], conditions, { page, size: 2 });
      assert.equal(total, 6);
      names.push(...items.map(({ entry }) => entry.name));
    }
    return names;
  };
  const expected = ['mark a', 'mark b', 'mark c', 'mark d', 'a mark', 'the mark'];
  assert.deepEqual([await listNames(100), await listNames(1)], [expected, expected]);
});
