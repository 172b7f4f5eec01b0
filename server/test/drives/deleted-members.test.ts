// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { race } from '../support/checks/race.ts';
import { closeLockGate } from '../support/drives/lock-gate.ts';
import { addMember, listMembers, rolesIn } from '../support/drives/members.ts';
import { createSharedDrive, inDrive } from '../support/drives/shared-drives.ts';
import { EventReader } from '../support/events/event-reader.ts';
import { getTask, queueTask } from '../support/tasks/tasks.ts';
import { openSession } from '../support/uploads/upload-session.ts';

let statements: string[] = [];
const holdall = await startHoldall({
  env: { HOLDALL_RATE_LIMITS: 'off', HOLDALL_WORKER_CONCURRENCY: '0' },
  onQuery: ({ sql }) => void statements.push(sql),
});
const { app } = holdall;
const { db } = app.database;
const admin = await holdall.admin();

const remove = (person: Person) =>
  admin.call('DELETE', `/api/admin/users/${person.id}`, { body: { username: person.username } });

async function findDrive(id: number) {
  return db.selectFrom('drive').select('deleted_at').where('id', '=', id).executeTakeFirstOrThrow();
}

async function isGone({ id }: Person): Promise<boolean> {
  await app.accountRemovalJob.settle();
  return (await db.selectFrom('account').select('id').where('id', '=', id).executeTakeFirst()) === undefined;
}

async function register(count: number): Promise<readonly Person[]> {
  const people: Person[] = [];
  for (let index = 0; index < count; index += 1) people.push(await holdall.register());
  return people;
}

describe('the deletion of an account', () => {
  test('makes the editor of longest standing the manager of a drive that has none', async () => {
    const [ann, viewer, editor, younger] = (await register(4)) as [Person, Person, Person, Person];
    const drive = await createSharedDrive(holdall, [
      [ann, 'MANAGER'],
      [viewer, 'VIEWER'],
      [editor, 'EDITOR'],
      [younger, 'EDITOR'],
    ]);
    await inDrive(ann, drive).upload('/kept', 'kept');
    const reader = await EventReader.open(editor);
    assert.equal((await remove(ann)).status, 200);
    assert.deepEqual(await rolesIn(editor, drive), [
      [viewer.id, 'VIEWER'],
      [editor.id, 'MANAGER'],
      [younger.id, 'EDITOR'],
    ]);
    await reader.notices(1);
    reader.close();
    // The account that added them is gone.
    assert.deepEqual((await listMembers(editor, drive)).data[0]?.addedBy, null);
    assert.ok(await isGone(ann));
    assert.deepEqual(await inDrive(editor, drive).names(), ['kept']);
    const events = await db
      .selectFrom('event')
      .select(['actor_id', 'actor_name'])
      .where('drive_id', '=', drive)
      .execute();
    assert.ok(events.length > 0);
    for (const event of events) assert.deepEqual(event, { actor_id: null, actor_name: null });
    assert.equal((await findDrive(drive)).deleted_at, null);
  });

  test('makes a viewer the manager if there is no editor', async () => {
    const [ann, viewer, younger] = (await register(3)) as [Person, Person, Person];
    const drive = await createSharedDrive(holdall, [
      [ann, 'MANAGER'],
      [viewer, 'VIEWER'],
      [younger, 'VIEWER'],
    ]);
    await remove(ann);
    assert.deepEqual(await rolesIn(viewer, drive), [
      [viewer.id, 'MANAGER'],
      [younger.id, 'VIEWER'],
    ]);
  });

  test('changes no role where another manager is left', async () => {
    const [ann, bob, manager] = (await register(3)) as [Person, Person, Person];
    const drive = await createSharedDrive(holdall, [
      [ann, 'MANAGER'],
      [bob, 'EDITOR'],
      [manager, 'MANAGER'],
    ]);
    await remove(ann);
    assert.deepEqual(await rolesIn(bob, drive), [
      [bob.id, 'EDITOR'],
      [manager.id, 'MANAGER'],
    ]);
  });

  test('deletes a drive without members', async () => {
    const [ann] = (await register(1)) as [Person];
    const drive = await createSharedDrive(holdall, [[ann, 'MANAGER']]);
    await remove(ann);
    assert.notEqual((await findDrive(drive)).deleted_at, null);
    assert.ok(await isGone(ann));
  });

  test('ends uploads and tasks in shared drives', async () => {
    const [ann, bob] = (await register(2)) as [Person, Person];
    const drive = await createSharedDrive(holdall, [
      [ann, 'MANAGER'],
      [bob, 'EDITOR'],
    ]);
    const there = inDrive(bob, drive);
    const task = await queueTask(there, await there.mkdir('/directory'));
    const { session } = await openSession(there, { filename: 'announced', size: 1_000 });
    await remove(bob);
    const { status, failureCategory } = await getTask(inDrive(ann, drive), task);
    assert.deepEqual([status, failureCategory], ['FAILED', 'DATA_STATE']);
    const row = await db
      .selectFrom('upload_session')
      .select('status')
      .where('id', '=', session.sessionId)
      .executeTakeFirst();
    assert.equal(row?.status, 'CANCELLED');
    assert.ok(await isGone(bob));
    await checkBooks(holdall);
  });
});

test('the deletion of an account locks shared drives before the account, like additions of members', async () => {
  const [ann, bob] = (await register(2)) as [Person, Person];
  const drive = await createSharedDrive(holdall, [
    [ann, 'MANAGER'],
    [bob, 'EDITOR'],
  ]);
  const lockOfDrives = (sql: string) => sql.startsWith('select "id" from "drive" where "id" in (select');
  const lockOfAccount = (sql: string) => sql.startsWith('update "account" set "updated_at"');
  statements = [];
  await remove(bob);
  const first = statements.findIndex((sql) => lockOfDrives(sql) || lockOfAccount(sql));
  assert.ok(lockOfDrives(statements[first] ?? ''), statements[first]);
  assert.ok(statements.some(lockOfAccount));
  assert.deepEqual(await rolesIn(ann, drive), [[ann.id, 'MANAGER']]);
});

test('an account whose deletion begins cannot be added meanwhile', async (context) => {
  const [ann, bob] = (await register(2)) as [Person, Person];
  const drive = await createSharedDrive(holdall, [[ann, 'MANAGER']]);
  const gate = closeLockGate(context, [holdall], ({ accountId }) => accountId === ann.id);
  const adding = addMember(ann, drive, { username: bob.username, role: 'EDITOR' });
  await gate.reached();
  assert.equal((await remove(bob)).status, 200);
  gate.open();
  assert.equal((await adding).status, 404);
  assert.ok(await isGone(bob));
});

test('of the members of many drives who are deleted at once, none leaves a drive without a manager', async () => {
  const people = await register(6);
  const last = await holdall.register('last');
  const drives: number[] = [];
  for (let index = 0; index < people.length; index += 1) {
    const turned = [...people.slice(index), ...people.slice(0, index)];
    drives.push(
      await createSharedDrive(holdall, [
        ...turned.map((person, place) => [person, place === 0 ? 'MANAGER' : 'EDITOR'] as const),
        [last, 'VIEWER'],
      ]),
    );
  }
  const answers = await race([admin], people.length, (_, index) => remove(people[index] as Person));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  for (const drive of drives) assert.deepEqual(await rolesIn(last, drive), [[last.id, 'MANAGER']]);
  for (const person of people) assert.ok(await isGone(person));
  await checkBooks(holdall);
});
