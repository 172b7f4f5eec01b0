// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import {
  createManagedDrive,
  DRIVE_HEADER,
  inDrive,
  type PersonInDrive,
} from '../support/drives/shared-drives.ts';
import { newestOf, readChanges } from '../support/events/changes.ts';
import { EventReader } from '../support/events/event-reader.ts';

const holdall = await startHoldall();
afterEach(() => checkBooks(holdall));

const alice = await holdall.register('alice');
const bob = await holdall.register('bob');

/** The drive as its manager and a viewer see it. */
async function makeDrive(name: string): Promise<readonly [PersonInDrive, PersonInDrive]> {
  const id = await createManagedDrive(
    holdall,
    [
      [alice, 'MANAGER'],
      [bob, 'VIEWER'],
    ],
    { name },
  );
  return [inDrive(alice, id), inDrive(bob, id)];
}

const openStream = (member: PersonInDrive) =>
  EventReader.open(member, { headers: { [DRIVE_HEADER]: String(member.sharedDriveId) } });
const star = (member: PersonInDrive, { id }: { id: number }) => member.ask('PUT', `/api/v2/files/${id}/star`);

describe('an event of a personal drive', () => {
  test('names no actor', async () => {
    const reader = await EventReader.open(alice);
    const { id } = await alice.mkdir('/own');
    const [message] = await reader.events(1);
    reader.close();
    const { items } = await readChanges(alice, { limit: 1_000 });
    const event = items.find(({ fileId }) => fileId === id);
    for (const each of [message?.data, event]) assert.ok(each && !('actorId' in each || 'actorName' in each));
    const row = await holdall.app.database.db
      .selectFrom('event')
      .select(['actor_id', 'actor_name'])
      .where('entry_id', '=', id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(row, { actor_id: null, actor_name: null });
  });
});

describe('an event of a shared drive', () => {
  test('names its actor to every member, in streams and in changes', async () => {
    const [ours, theirs] = await makeDrive('Named');
    const reader = await openStream(theirs);
    const { id } = await ours.mkdir('/d');
    const [message] = await reader.events(1);
    reader.close();
    const actor = { actorId: alice.id, actorName: alice.username };
    const { items } = await readChanges(theirs);
    const [event] = items;
    assert.equal(event?.fileId, id);
    for (const each of [message?.data, event]) {
      assert.deepEqual({ actorId: each?.actorId, actorName: each?.actorName }, actor);
    }
  });

  test('keeps the name that its actor had at that time', async () => {
    const [ours] = await makeDrive('Renamed');
    await ours.mkdir('/before');
    await alice.ask('PUT', '/api/user/profile', { body: { displayName: 'Alice L.' } });
    await ours.upload('/several/file', 'x');
    const { items } = await readChanges(ours);
    assert.deepEqual(
      items.map(({ actorName }) => actorName),
      [alice.username, 'Alice L.', 'Alice L.'],
    );
    await alice.ask('PUT', '/api/user/profile', { body: { displayName: alice.username } });
  });

  test('does not reach the personal streams of the members', async () => {
    const [ours] = await makeDrive('Apart');
    const cursor = await newestOf(alice);
    await ours.mkdir('/d');
    assert.deepEqual((await readChanges(alice, { cursor })).items, []);
  });
});

describe('a client id in a shared drive', () => {
  test('leaves out only what the account of the stream did, although others may use the same id', async () => {
    const [ours, theirs] = await makeDrive('Client ids');
    const headers = { 'x-service-client-id': 'the same' };
    const [own, other] = await Promise.all(
      [ours, theirs].map((member) =>
        EventReader.open(member, {
          headers: { [DRIVE_HEADER]: String(member.sharedDriveId), ...headers },
        }),
      ),
    );
    const mkdir = (path: string, more: object) =>
      ours.ask('POST', '/api/files/mkdir', { body: { path }, headers: { ...more } });
    await mkdir('/hidden from the client itself', headers);
    await mkdir('/by another client', {});
    const pathsOf = async (reader: EventReader | undefined, count: number) =>
      (await reader?.events(count))?.map(({ data }) => data.toPath);
    assert.deepEqual(await pathsOf(other, 2), ['/hidden from the client itself', '/by another client']);
    assert.deepEqual(await pathsOf(own, 1), ['/by another client']);
    for (const reader of [own, other]) reader?.close();
  });
});

describe('the event of a star in a shared drive', () => {
  test('reaches only the account that set it', async () => {
    const [ours, theirs] = await makeDrive('Stars');
    const directory = await ours.mkdir('/d');
    const cursor = await newestOf(ours);
    const [own, other] = [await openStream(theirs), await openStream(ours)];
    await star(theirs, directory);
    await ours.mkdir('/later');
    const types = (reader: EventReader, count: number) =>
      reader.events(count).then((all) => all.map(({ event }) => event));
    assert.deepEqual(await types(own, 2), ['UPDATED', 'CREATED']);
    assert.deepEqual(await types(other, 1), ['CREATED']);
    for (const reader of [own, other]) reader.close();
    const seen = async (member: PersonInDrive) => (await readChanges(member, { cursor })).items.length;
    assert.deepEqual([await seen(theirs), await seen(ours)], [2, 1]);
  });

  test('does not keep others from a conditional deletion, but the own star does', async () => {
    const [ours, theirs] = await makeDrive('Conditions');
    const [first, second] = [await ours.mkdir('/first'), await ours.mkdir('/second')];
    const cursor = await newestOf(ours);
    await star(theirs, second);
    await ours.ask('DELETE', `/api/files/${first.id}?cursor=${cursor}`);
    await ours.refused(412, 1003, 'DELETE', `/api/files/${second.id}?cursor=${cursor}`);
    const later = await newestOf(ours);
    await star(ours, second);
    await ours.refused(412, 1003, 'DELETE', `/api/files/${second.id}?cursor=${later}`);
    await ours.refused(412, 1003, 'DELETE', `/api/files/${second.id}?cursor=${later + 1_000_000}`);
  });

  test('moves the cursor of everyone, so that a deletion with the newest cursor succeeds', async () => {
    const [ours, theirs] = await makeDrive('Cursors');
    const directory = await ours.mkdir('/d');
    await star(theirs, directory);
    const page = await readChanges(ours, {
      limit: 1,
      cursor: (await readChanges(ours, { limit: 1 })).nextCursor,
    });
    assert.deepEqual([page.items, page.hasMore], [[], false]);
    await ours.ask('DELETE', `/api/files/${directory.id}?cursor=${page.nextCursor}`);
  });
});
