// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE } from '../../src/base/clock.ts';
import type { ActivityRecord } from '../../src/drives/activity/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { Member, makeSharedDrive } from '../support/drives/records-drive.ts';

const holdall = await startHoldall();
const alice = await holdall.register('alice');
const bob = await holdall.register('bob');

const addressOf = (id: number) => `/api/v2/drives/${id}/activity`;

async function makeDrive(name: string): Promise<readonly [Member, Member]> {
  const id = await makeSharedDrive(holdall, name, [
    [alice, 'EDITOR'],
    [bob, 'VIEWER'],
  ]);
  return [new Member(alice, id), new Member(bob, id)];
}

const list = (person: Person, id: number, query = '') =>
  person.ask<{ items: readonly ActivityRecord[]; total: number }>('GET', `${addressOf(id)}?${query}`);

describe('the activity of a shared drive', () => {
  test('shows every member who changed what, the newest change first', async () => {
    const [ours, theirs] = await makeDrive('Changes');
    const directory = await ours.mkdir('/d');
    await ours.rename(directory, 'renamed');
    const { items, total } = await list(bob, theirs.sharedDriveId);
    assert.equal(total, 2);
    const [renamed, created] = items;
    assert.deepEqual(
      { ...renamed, id: 0, at: '' },
      {
        ...{ id: 0, at: '', accountId: alice.id, displayName: alice.username, eventType: 'RENAMED' },
        ...{ fileId: directory.id, path: '/renamed', fromPath: '/d', count: 1 },
      },
    );
    assert.deepEqual([created?.eventType, created?.path, created?.fromPath], ['CREATED', '/d', null]);
    assert.ok(renamed && created && renamed.id > created.id);
  });

  test('counts equal changes of one person within a minute in one directory', async () => {
    const [ours, theirs] = await makeDrive('Groups');
    await ours.mkdir('/d');
    for (const name of ['a', 'b', 'c']) await ours.upload(`/d/${name}`, 'x');
    await ours.mkdir('/e');
    holdall.clock.advance(MINUTE + 1);
    await ours.upload('/d/later', 'x');
    const { items, total } = await list(alice, ours.sharedDriveId);
    assert.deepEqual(
      items.map(({ eventType, path, count }) => [eventType, path, count]),
      [
        ['CREATED', '/d/later', 1],
        ['CREATED', '/e', 2],
        ['CREATED', '/d/c', 3],
      ],
    );
    assert.equal(total, 3);
    const part = await list(bob, theirs.sharedDriveId, 'page=1&size=1');
    assert.deepEqual([part.items, part.total], [[items[1]], 3]);
  });

  test('does not show stars', async () => {
    const [ours, theirs] = await makeDrive('Stars');
    const directory = await ours.mkdir('/d');
    await theirs.ask('PUT', `/api/v2/files/${directory.id}/star`);
    for (const member of [ours, theirs]) assert.equal((await list(member, ours.sharedDriveId)).total, 1);
  });

  test('is not found by anyone else, and a personal drive has none', async () => {
    const [ours] = await makeDrive('Closed');
    const carol = await holdall.register('carol');
    await carol.refused(404, 2404, 'GET', addressOf(ours.sharedDriveId));
    await carol.refused(404, 2404, 'GET', addressOf(alice.driveId));
    await alice.refused(403, 2403, 'GET', addressOf(alice.driveId));
  });
});
