// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE } from '../../src/base/clock.ts';
import type { ActivityRecord } from '../../src/drives/activity/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { createManagedDrive, inDrive, type PersonInDrive } from '../support/drives/shared-drives.ts';
import { readChanges } from '../support/events/changes.ts';
import { linkFolder, Visitor } from '../support/folder-links/folder-links.ts';
import { makePng } from '../support/media/pictures.ts';
import { listTasks, waitFor } from '../support/tasks/tasks.ts';

const holdall = await startHoldall();
const alice = await holdall.register('alice');
const bob = await holdall.register('bob');

const addressOf = (id: number) => `/api/v2/drives/${id}/activity`;

async function makeDrive(name: string): Promise<readonly [PersonInDrive, PersonInDrive]> {
  const id = await createManagedDrive(
    holdall,
    [
      [alice, 'EDITOR'],
      [bob, 'VIEWER'],
    ],
    { name },
  );
  return [inDrive(alice, id), inDrive(bob, id)];
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

  test('shows changes however many stars were set since', async () => {
    const [ours, theirs] = await makeDrive('Many stars');
    const { id } = await ours.mkdir('/d');
    const values = Array.from({ length: 500 }, () => ({
      ...{
        drive_id: ours.sharedDriveId,
        event_type: 'UPDATED',
        entry_id: id,
        from_path: null,
        to_path: '/d',
      },
      ...{ client_id: null, payload: '{}', created_at: holdall.clock.now() },
      ...{ actor_id: bob.id, actor_name: 'bob', reader_id: bob.id },
    }));
    await holdall.app.database.transact(async (tx) => {
      for (let count = 0; count < 11; count += 1) await tx.insertInto('event').values(values).execute();
    });
    const { items, total } = await list(theirs, ours.sharedDriveId);
    assert.deepEqual([items[0]?.path, total], ['/d', 1]);
  });

  test('shows what visitors did, with or without a name, but nothing that the service did itself', async () => {
    const [ours] = await makeDrive('Visitors');
    const directory = await ours.mkdir('/d');
    const visitor = new Visitor(holdall.url, await linkFolder(ours, directory, { mode: 'UPLOAD' }));
    await visitor.send('named.txt', 'x', { sender: 'Vera' });
    await visitor.send('nameless.txt', 'x');
    await visitor.send('picture.png', makePng(), { sender: 'Vera' });
    await waitFor(
      () => listTasks(ours),
      ({ items }) => items.length > 0 && items.every(({ status }) => status === 'COMPLETED'),
    );
    const { items } = await list(ours, ours.sharedDriveId);
    assert.deepEqual(
      items.map(({ eventType, accountId, displayName, count }) => [eventType, accountId, displayName, count]),
      [
        ['CREATED', null, 'Vera', 2],
        ['CREATED', null, null, 1],
        ['CREATED', alice.id, alice.username, 1],
      ],
    );
    const changes = (await readChanges(ours, { limit: 1_000 })).items;
    assert.deepEqual(
      changes.map(({ actorName }) => actorName),
      [alice.username, 'Vera', null, 'Vera', null],
    );
  });

  test('is the same whether it was grouped before or not, and has each later change', async () => {
    const [ours] = await makeDrive('Again');
    assert.equal((await list(bob, ours.sharedDriveId)).total, 0);
    for (const name of ['/a', '/b']) {
      const { id } = await ours.mkdir(name);
      for (let count = 0; count < 2; count += 1) {
        const { items } = await list(bob, ours.sharedDriveId);
        assert.deepEqual([items[0]?.fileId, items[0]?.count], [id, name === '/a' ? 1 : 2]);
      }
    }
    const { db } = holdall.app.database;
    const oldest = await db
      .selectFrom('event')
      .select((select) => select.fn.min('id').as('id'))
      .where('drive_id', '=', ours.sharedDriveId)
      .executeTakeFirstOrThrow();
    await holdall.app.database.transact((tx) => tx.deleteFrom('event').where('id', '=', oldest.id).execute());
    assert.deepEqual(
      (await list(bob, ours.sharedDriveId)).items.map(({ count }) => count),
      [1],
    );
  });

  test('is not found by anyone else, and a personal drive has none', async () => {
    const [ours] = await makeDrive('Closed');
    const carol = await holdall.register('carol');
    await carol.refused(404, 2404, 'GET', addressOf(ours.sharedDriveId));
    await carol.refused(404, 2404, 'GET', addressOf(alice.driveId));
    await alice.refused(403, 2403, 'GET', addressOf(alice.driveId));
  });
});
