// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { User } from '../../../src/accounts/contract.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { FileVersion } from '../../../src/drive/versions/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { atEveryInstance, countStatuses, race } from '../../support/checks/race.ts';
import { isPostgres } from '../../support/database/test-database.ts';

// The recycle bin and the former versions together never exceed the quota of the drive.

const env = { HOLDALL_DEFAULT_QUOTA_BYTES: '100' };
const holdall = await startHoldall({ env });
const instances = [holdall, ...(isPostgres ? [await startHoldall({ env, beside: holdall })] : [])];
afterEach(() => checkBooks(holdall));

const bytes = (size: number) => 'x'.repeat(size);
const replace = (person: Person, { id }: { id: number }, size: number) =>
  person.call<EntryRecord>('PUT', `/api/v2/files/${id}/content`, {
    body: bytes(size),
    headers: { 'content-type': 'text/plain' },
  });
const countVersions = async (person: Person, { id }: { id: number }) =>
  (await person.ask<readonly FileVersion[]>('GET', `/api/v2/files/${id}/versions`)).length;
const namesInBin = async (person: Person) =>
  (await person.bin()).items.map(({ filename }) => filename).sort();

async function recycleNew(person: Person, path: string, size: number): Promise<void> {
  holdall.clock.advance(10);
  await person.recycle(await person.upload(path, bytes(size)));
}

describe('when the bin and the versions are as large as the quota', () => {
  test('the oldest versions are deleted first, for new versions and for the bin', async () => {
    const ann = await holdall.register('ann');
    const file = await ann.upload('/file.txt', bytes(40));
    for (const size of [40, 40, 40]) {
      holdall.clock.advance(10);
      assert.equal((await replace(ann, file, size)).status, 200);
    }
    assert.equal(await countVersions(ann, file), 2);
    await recycleNew(ann, '/bin.txt', 50);
    assert.equal(await countVersions(ann, file), 1);
    assert.deepEqual(await namesInBin(ann), ['bin.txt']);
    const user = await ann.ask<User>('GET', '/api/user/profile');
    assert.deepEqual([user.storageUsedBytes, user.keptBytes, user.maxKeptBytes], [40, 90, 100]);
  });

  test('a deletion succeeds, and the trees that were deleted first are purged', async () => {
    const bob = await holdall.register('bob');
    for (const name of ['a', 'b', 'c', 'd']) await recycleNew(bob, `/${name}`, 40);
    assert.deepEqual(await namesInBin(bob), ['c', 'd']);
    const changes = await bob.ask<{ items: readonly { eventType: string }[] }>(
      'GET',
      '/api/v2/files/changes?cursor=0',
    );
    assert.equal(changes.items.filter(({ eventType }) => eventType === 'PURGED').length, 2);
    // One tree may be as large as the whole quota.
    await recycleNew(bob, '/whole', 100);
    assert.deepEqual(await namesInBin(bob), ['whole']);
  });

  test('new content is rejected if its version would displace the bin, until the bin is emptied', async () => {
    const eve = await holdall.register('eve');
    await recycleNew(eve, '/old.txt', 90);
    const file = await eve.upload('/file.txt', bytes(20));
    const refused = await replace(eve, file, 5);
    assert.deepEqual([refused.status, refused.code], [413, 2413]);
    assert.match(refused.msg, /Empty the recycle bin/);
    assert.equal(await eve.usedBytes(), 20);
    assert.equal(String(await eve.download(file)), bytes(20));
    await eve.ask('DELETE', '/api/files/recycle-bin');
    assert.equal((await replace(eve, file, 5)).status, 200);
    const empty = await eve.upload('/empty.txt', '');
    assert.equal((await replace(eve, empty, 5)).status, 200, 'an empty version needs no room');
  });

  test('concurrent replacements keep no more', async () => {
    const tom = await holdall.register('tom');
    const files = await Promise.all(
      Array.from({ length: 8 }, (_, index) => tom.upload(`/${index}.txt`, bytes(10))),
    );
    await recycleNew(tom, '/bin.txt', 20);
    const clients = atEveryInstance(
      tom,
      instances.map(({ url }) => url),
    );
    for (let round = 0; round < 3; round += 1) {
      const answers = await race(clients, files.length, (person, index) =>
        replace(person, files[index] ?? assert.fail(), 10),
      );
      assert.deepEqual(countStatuses(answers), { 200: files.length });
    }
    const counts = await Promise.all(files.map((file) => countVersions(tom, file)));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      8,
    );
  });
});

test('restoring and purging free the space again', async () => {
  const kim = await holdall.register('kim');
  const file = await kim.upload('/file.txt', bytes(40));
  assert.equal((await replace(kim, file, 30)).status, 200);
  await kim.recycle(file);
  await kim.restore(file);
  await kim.recycle(file);
  await kim.purge(file);
});
