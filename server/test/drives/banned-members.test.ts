// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { asProgram, createAppPassword } from '../support/app/app-passwords.ts';
import { type Holdall, startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { reduceDuring, startMemberRace } from '../support/drives/member-race.ts';
import { removeMember, rolesIn, setRole } from '../support/drives/members.ts';
import { createSharedDrive, inDrive, listDrives } from '../support/drives/shared-drives.ts';
import { getTask, queueTask } from '../support/tasks/tasks.ts';
import { openSession } from '../support/uploads/upload-session.ts';

const env = { HOLDALL_RATE_LIMITS: 'off', HOLDALL_WORKER_CONCURRENCY: '0' };
const holdall = await startHoldall({ env });
const elsewhere: Holdall = isPostgres ? await startHoldall({ env, beside: holdall }) : holdall;
const instances = [holdall, elsewhere] as const;
const { db } = holdall.app.database;
const admin = await holdall.admin();

afterEach(() => checkBooks(holdall));

const setBanned = (person: Person, banned: boolean) =>
  admin.call('PATCH', `/api/admin/users/${person.id}/status`, { body: { banned } });

test('a ban ends what the member has begun in shared drives, and nothing else', async () => {
  const { ann, bob, editor, drive } = await startMemberRace(instances);
  const task = await queueTask(editor, await editor.mkdir('/directory'));
  const kept = await queueTask(ann, await ann.mkdir('/other'));
  const { session } = await openSession(editor, { filename: 'announced', size: 1_000 });
  const entry = await editor.upload('/locked', 'locked');
  const lock = { drive_id: drive, entry_id: entry.id, account_id: bob.id, token: `urn:test:${entry.id}` };
  await holdall.app.database.transact((tx) =>
    tx
      .insertInto('dav_lock')
      .values({
        ...{ ...lock, is_exclusive: 1, is_deep: 0, owner_xml: '' },
        ...{ created_at: holdall.clock.now(), expires_at: holdall.clock.now() + 60_000 },
      })
      .execute(),
  );

  assert.equal((await setBanned(bob, true)).status, 200);

  const failed = await getTask(ann, task);
  assert.deepEqual([failed.status, failed.failureCategory], ['FAILED', 'DATA_STATE']);
  assert.equal((await getTask(ann, kept)).finishedAt, null);
  const upload = await db
    .selectFrom('upload_session')
    .select('status')
    .where('id', '=', session.sessionId)
    .executeTakeFirst();
  assert.equal(upload?.status, 'CANCELLED');
  assert.deepEqual(await db.selectFrom('dav_lock').select('id').where('drive_id', '=', drive).execute(), []);
  assert.deepEqual(await rolesIn(ann, drive), [
    [ann.id, 'MANAGER'],
    [bob.id, 'EDITOR'],
  ]);
});

test('a change that begins before a ban is refused, and works again afterwards', async (context) => {
  const { ann, bob, editor, drive, holdChanges } = await startMemberRace(instances);
  const gate = holdChanges(context);
  const answer = await reduceDuring(
    gate,
    () => setBanned(bob, true),
    () => editor.call('POST', '/api/files/mkdir', { body: { path: '/late' } }),
  );
  assert.equal(answer.status, 404);
  assert.deepEqual(await ann.names(), []);

  assert.equal((await setBanned(bob, false)).status, 200);
  await bob.logInAt('00000000-0000-4000-8000-000000000001');
  await inDrive(bob, drive).mkdir('/allowed');
  assert.deepEqual(await ann.names(), ['allowed']);
});

test('the last manager who is not banned cannot leave or become an editor', async () => {
  const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
  const drive = await createSharedDrive(holdall, [
    [ann, 'MANAGER'],
    [bob, 'MANAGER'],
  ]);
  await setBanned(bob, true);
  assert.equal((await removeMember(ann, drive, ann)).status, 409);
  assert.equal((await setRole(ann, drive, ann, 'EDITOR')).status, 409);
  await setBanned(bob, false);
  assert.equal((await removeMember(ann, drive, ann)).status, 200);
});

test('a READ app password sees drives as a viewer, with their member counts', async () => {
  const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
  await createSharedDrive(holdall, [
    [ann, 'MANAGER'],
    [bob, 'EDITOR'],
  ]);
  const { password } = await createAppPassword(ann, { scope: 'READ' });
  const seen = async (person: Person) =>
    (await listDrives(person)).map(({ role, memberCount }) => [role, memberCount]);
  assert.deepEqual(await seen(ann), [
    ['MANAGER', 1],
    ['MANAGER', 2],
  ]);
  assert.deepEqual(await seen(asProgram(ann, password)), [
    ['VIEWER', 1],
    ['VIEWER', 2],
  ]);
});
