// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { Stars } from '../../src/drive/stars/stars.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { addMember, removeMember } from '../support/drives/members.ts';
import { createManagedDrive, inDrive, type PersonInDrive } from '../support/drives/shared-drives.ts';

const holdall = await startHoldall();
afterEach(() => checkBooks(holdall));

const alice = await holdall.register('alice');
const bob = await holdall.register('bob');
const id = await createManagedDrive(holdall, [
  [alice, 'EDITOR'],
  [bob, 'VIEWER'],
]);
const [ours, theirs] = [inDrive(alice, id), inDrive(bob, id)];

const star = (member: PersonInDrive, entry: { id: number }) =>
  member.ask<EntryRecord>('PUT', `/api/v2/files/${entry.id}/star`);
const unstar = (member: PersonInDrive, entry: { id: number }) =>
  member.ask<EntryRecord>('DELETE', `/api/v2/files/${entry.id}/star`);
const starredBy = async (member: PersonInDrive) => {
  const page = await member.ask<{ items: readonly EntryRecord[]; total: number }>(
    'GET',
    '/api/v2/files/starred',
  );
  assert.equal(page.total, page.items.length);
  return page.items.map(({ path }) => path);
};

describe('a star in a shared drive', () => {
  test('is shown only to the member who set it, even to a viewer', async () => {
    const file = await ours.upload('/d/file', 'x');
    assert.equal((await star(theirs, file)).starred, true);
    assert.equal((await theirs.list('/d')).items[0]?.starred, true);
    assert.equal((await ours.list('/d')).items[0]?.starred, false);
    assert.equal((await ours.details(file)).starred, false);
    assert.deepEqual([await starredBy(theirs), await starredBy(ours)], [['/d/file'], []]);
    assert.deepEqual((await star(ours, file)).starred, true);
    assert.equal((await unstar(theirs, file)).starred, false);
    assert.deepEqual([await starredBy(theirs), await starredBy(ours)], [[], ['/d/file']]);
    assert.equal((await unstar(ours, file)).starred, false);
    assert.deepEqual(await starredBy(ours), []);
  });

  test('ends with the membership of the account, and does not come back', async () => {
    const carol = await holdall.register('carol');
    const drive = await createManagedDrive(holdall, [
      [alice, 'MANAGER'],
      [carol, 'VIEWER'],
    ]);
    const [own, others] = [inDrive(alice, drive), inDrive(carol, drive)];
    const file = await own.upload('/file', 'x');
    for (const member of [own, others]) await star(member, file);
    assert.equal((await removeMember(alice, drive, carol)).status, 200);
    assert.equal((await addMember(alice, drive, { username: carol.username, role: 'VIEWER' })).status, 200);
    assert.deepEqual([await starredBy(others), await starredBy(own)], [[], ['/file']]);
  });

  test('is refused once the account has too many in the shared drive, but not in the personal one', async () => {
    const { database, drives, drive } = holdall.app;
    const parts = { database, drives, entryEvents: drive.entryEvents, clock: holdall.clock };
    const stars = new Stars(parts, 2);
    const make = async (member: PersonInDrive | Person) => [
      await member.mkdir('/limit/1'),
      await member.mkdir('/limit/2'),
      await member.mkdir('/limit/3'),
    ];
    const set = (driveId: number, accountId: number, entryId: number, isStarred = true) =>
      stars.set({ driveId, accountId, clientId: null, needs: 'VIEWER' }, entryId, isStarred);
    const shared = await createManagedDrive(holdall, [
      [alice, 'EDITOR'],
      [bob, 'VIEWER'],
    ]);
    const [first, second, third] = (await make(inDrive(alice, shared))).map((entry) => entry.id);
    assert.ok(first && second && third);
    for (const entryId of [first, second, second]) await set(shared, bob.id, entryId);
    await assert.rejects(set(shared, bob.id, third), { kind: 'over-limit' });
    await set(shared, alice.id, third);
    await set(shared, bob.id, first, false);
    await set(shared, bob.id, third);
    const dora = await holdall.register('dora');
    for (const { id: entryId } of await make(dora)) await set(dora.driveId, dora.id, entryId);
  });

  test('does not say who last changed the entry', async () => {
    const file = await ours.upload('/e/file', 'x');
    assert.equal((await star(theirs, file)).changedBy?.accountId, alice.id);
    await unstar(theirs, file);
  });

  test('leaves the list with the entry, and returns when it is restored', async () => {
    const file = await ours.upload('/f/file', 'x');
    await star(theirs, file);
    await ours.recycle(file);
    assert.deepEqual(await starredBy(theirs), []);
    await ours.restore(file);
    assert.deepEqual(await starredBy(theirs), ['/f/file']);
    await unstar(theirs, file);
  });

  test('is deleted with the account, and the stars of others stay', async () => {
    const carol = await holdall.register('carol');
    const shared = await createManagedDrive(holdall, [
      [alice, 'MANAGER'],
      [carol, 'VIEWER'],
    ]);
    const [stays, leaves] = [inDrive(alice, shared), inDrive(carol, shared)];
    const file = await stays.upload('/file', 'x');
    await star(leaves, file);
    await star(stays, file);
    await holdall.app.drive.stars.deleteAllOf(carol.id, new AbortController().signal);
    assert.deepEqual([await starredBy(leaves), await starredBy(stays)], [[], ['/file']]);
  });
});

test('the stars of a personal drive and of a shared one are separate lists', async () => {
  const own = await alice.upload('/own', 'x');
  await alice.ask('PUT', `/api/v2/files/${own.id}/star`);
  const file = await ours.upload('/g', 'x');
  await star(ours, file);
  assert.deepEqual(await starredBy(ours), ['/g']);
  const page = await alice.ask<{ items: readonly EntryRecord[] }>('GET', '/api/v2/files/starred');
  assert.deepEqual(
    page.items.map(({ path }) => path),
    ['/own'],
  );
});
