// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import type { DriveRole } from '../../src/base/domain/drives.ts';
import type { DriveRecord } from '../../src/drives/lifecycle/contract.ts';
import { publishDrivesChanged } from '../../src/events/events.ts';
import { type Holdall, startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { atEveryInstance } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { addMember, removeMember, setRole } from '../support/drives/members.ts';
import {
  createSharedDrive,
  DRIVE_HEADER,
  DRIVES,
  deleteDrive,
  inDrive,
  recountMembers,
  restoreDrive,
} from '../support/drives/shared-drives.ts';
import { EventReader, refusedStream } from '../support/events/event-reader.ts';

/** The heartbeat interval: streams must get their events from messages, not from the periodic check. */
const NEVER_MS = 3_600_000;
/** No account has this id, or a greater one. */
const NO_ACCOUNT = 1_000_000_000;
const options = { env: { HOLDALL_RATE_LIMITS: 'off' }, eventBeatMs: NEVER_MS };

const holdall = await startHoldall(options);
const elsewhere: Holdall = isPostgres ? await startHoldall({ ...options, beside: holdall }) : holdall;
const urls = [holdall.url, elsewhere.url];
const readers: EventReader[] = [];
after(() => {
  for (const reader of readers) reader.close();
});

/** Opens a stream at the other instance, in a shared drive or in the personal one. */
async function follow(person: Person, drive?: number): Promise<EventReader> {
  const there = atEveryInstance(person, urls)[1] as Person;
  const headers = drive === undefined ? {} : { [DRIVE_HEADER]: String(drive) };
  const reader = await EventReader.open(there, { headers });
  readers.push(reader);
  return reader;
}

let ann: Person;
let bob: Person;
beforeEach(async () => {
  ann = await holdall.register('ann');
  bob = await holdall.register('bob');
});

const driveOf = (role: DriveRole) =>
  createSharedDrive(holdall, [
    [ann, 'MANAGER'],
    [bob, role],
  ]);

describe('a stream of a shared drive', () => {
  test('has the events of that drive', async () => {
    const drive = await driveOf('VIEWER');
    const reader = await follow(bob, drive);
    await ann.mkdir('/personal');
    await inDrive(ann, drive).mkdir('/shared');
    assert.deepEqual(
      (await reader.events(1)).map(({ data }) => data.toPath),
      ['/shared'],
    );
  });

  test('ends by a message when its account is removed at another instance', async (context) => {
    const drive = await driveOf('VIEWER');
    const [ofBob, ofAnn, personal] = [await follow(bob, drive), await follow(ann, drive), await follow(bob)];
    // The periodic check of logins and members never ends, so only the message can end the stream.
    const never = new Promise<never>(() => {});
    context.mock.method(elsewhere.app.accounts, 'findLiveSessions', () => never);
    assert.equal((await removeMember(ann, drive, bob)).status, 200);
    await ofBob.ended();
    assert.deepEqual(await refusedStream(bob, { headers: { [DRIVE_HEADER]: String(drive) } }), [404, 2404]);
    await inDrive(ann, drive).mkdir('/still here');
    await ofAnn.events(1);
    await bob.mkdir('/still here');
    assert.equal(personal.isOver, false);
  });

  test('ends by the periodic check if the message was lost', async () => {
    const drive = await driveOf('VIEWER');
    const reader = await follow(bob, drive);
    await holdall.app.database.transact(async (tx) => {
      await tx.deleteFrom('drive_member').where('account_id', '=', bob.id).execute();
      await recountMembers(tx, drive);
    });
    await reader.ended();
  });

  test('ends when its account is removed while it is being opened', async (context) => {
    const drive = await driveOf('VIEWER');
    const { events } = elsewhere.app;
    const findStart = events.findStart.bind(events);
    const held: typeof events.findStart = async (...start) => {
      context.mock.restoreAll();
      assert.equal((await removeMember(ann, drive, bob)).status, 200);
      return findStart(...start);
    };
    context.mock.method(events, 'findStart', held);
    // It may end before its client has received anything.
    const reader = await follow(bob, drive).catch(() => undefined);
    await reader?.ended();
  });

  test('stays open after a change of the role', async () => {
    const drive = await driveOf('EDITOR');
    const reader = await follow(bob, drive);
    assert.equal((await setRole(ann, drive, bob, 'VIEWER')).status, 200);
    await inDrive(ann, drive).mkdir('/still here');
    assert.equal((await reader.events(1))[0]?.data.toPath, '/still here');
  });
});

describe('the personal stream of a member', () => {
  test('gets DRIVES_CHANGED when its list of drives or its role changes, and no other stream does', async () => {
    const drive = await createSharedDrive(holdall, [[ann, 'MANAGER']]);
    const [ofBob, ofAnn] = [await follow(bob), await follow(ann)];
    const changes = [
      () => addMember(ann, drive, { username: bob.username, role: 'VIEWER' }),
      () => setRole(ann, drive, bob, 'EDITOR'),
      () => removeMember(ann, drive, bob),
    ];
    for (const [index, change] of changes.entries()) {
      assert.equal((await change()).status, 200);
      await ofBob.notices(index + 1);
    }
    const [ready, ...all] = ofBob.messages;
    const messages = all.filter(({ event }) => event !== 'NOTIFICATION');
    // A message may arrive twice.
    assert.ok(messages.length >= 3);
    for (const { id, event, data } of messages) {
      assert.deepEqual([id, event], [ready?.id, 'DRIVES_CHANGED']);
      assert.deepEqual(data, { eventType: 'DRIVES_CHANGED', createdAt: data.createdAt });
    }
    await ann.mkdir('/own');
    await ofAnn.events(1);
    assert.deepEqual(
      ofAnn.messages.slice(1).map(({ event }) => event),
      ['CREATED'],
    );
  });

  test('gets DRIVES_CHANGED in one of a few messages if many accounts are concerned', async (context) => {
    const { database } = holdall.app;
    const ofBob = await follow(bob);
    const publish = context.mock.method(database.topics, 'publish');
    const others = Array.from({ length: 59 }, (_, index) => NO_ACCOUNT + index);
    await database.transact(async (tx) => publishDrivesChanged(database, tx, [...others, bob.id]));
    await ofBob.notices(1);
    assert.equal(publish.mock.callCount(), 3);
    for (const { arguments: sent } of publish.mock.calls) assert.ok(sent[2].length < 500);
  });

  test('gets DRIVES_CHANGED when a drive is created with it, renamed, deleted or restored', async () => {
    const directory = await ann.mkdir('/for-a-drive');
    const [ofBob, ofAnn] = [await follow(bob), await follow(ann)];
    const members = [{ username: bob.username, role: 'VIEWER' }];
    const drives: DriveRecord[] = [];
    const create = async (more: object) => {
      const body = { name: 'Team', members, ...more };
      drives.push(await ann.ask<DriveRecord>('POST', DRIVES, { body }));
    };
    const drive = () => drives[0] ?? assert.fail();
    const changes: (() => Promise<unknown>)[] = [
      () => create({}),
      () => create({ fromFileId: directory.id }),
      () => ann.ask('PATCH', `${DRIVES}/${drive().id}`, { body: { name: 'Team' } }),
      () => deleteDrive(ann, drive()),
      () => restoreDrive(ann, drive()),
    ];
    for (const change of changes) {
      const before = ofBob.messages.filter(({ event }) => event === 'DRIVES_CHANGED').length;
      await change();
      await ofBob.notices(before + 1);
    }
    await ofAnn.notices(changes.length);
    const [deleted] = await ofAnn.events(1);
    assert.equal(deleted?.event, 'DELETED');
  });
});
