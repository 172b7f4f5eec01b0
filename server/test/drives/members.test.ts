// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DriveRole } from '../../src/base/domain/drives.ts';
import { asAdmin } from '../support/app/admin.ts';
import { createAppPassword } from '../support/app/app-passwords.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { addMember, listMembers, removeMember, rolesIn, setRole } from '../support/drives/members.ts';
import { createSharedDrive, inDrive, markDeleted, recountMembers } from '../support/drives/shared-drives.ts';
import { getTask, queueTask } from '../support/tasks/tasks.ts';
import { openSession } from '../support/uploads/upload-session.ts';

const holdall = await startHoldall({ env: { HOLDALL_WORKER_CONCURRENCY: '0' } });
const { database } = holdall.app;
const [ann, bob, cleo, stranger] = [
  await holdall.register('ann'),
  await holdall.register('bob'),
  await holdall.register('cleo'),
  await holdall.register('stranger'),
];

/** A drive that Ann manages. */
const driveWith = (...others: readonly (readonly [Person, DriveRole])[]) =>
  createSharedDrive(holdall, [[ann, 'MANAGER'], ...others]);

describe('the members of a shared drive', () => {
  test('are listed for each of them, with who added them', async () => {
    const drive = await driveWith([bob, 'VIEWER']);
    const { status, data } = await listMembers(bob, drive);
    assert.equal(status, 200);
    const [first, second] = data;
    assert.deepEqual(first, {
      accountId: ann.id,
      username: ann.username,
      displayName: ann.username,
      role: 'MANAGER',
      since: first?.since,
      addedBy: null,
    });
    assert.match(first?.since ?? '', /^\d{4}-.*Z$/);
    assert.equal(second?.role, 'VIEWER');
    assert.deepEqual(second?.addedBy, { accountId: ann.id, displayName: ann.username });
    assert.equal(data.length, 2);
  });

  test('are unknown to everyone else, like those of a drive that is unknown or deleted', async () => {
    const drive = await driveWith([bob, 'VIEWER']);
    assert.equal((await listMembers(stranger, drive)).status, 404);
    assert.equal((await listMembers(ann, 999_999_999)).status, 404);
    assert.equal((await listMembers(ann, bob.driveId)).status, 404);
    await markDeleted(holdall, drive);
    for (const answer of [
      await listMembers(ann, drive),
      await addMember(ann, drive, { username: cleo.username, role: 'VIEWER' }),
      await setRole(ann, drive, bob, 'EDITOR'),
      await removeMember(ann, drive, bob),
    ]) {
      assert.equal(answer.status, 404);
    }
  });

  test('do not exist in a personal drive', async () => {
    for (const answer of [
      await listMembers(ann, ann.driveId),
      await addMember(ann, ann.driveId, { username: bob.username, role: 'VIEWER' }),
      await setRole(ann, ann.driveId, ann, 'VIEWER'),
      await removeMember(ann, ann.driveId, ann),
    ]) {
      assert.deepEqual([answer.status, answer.code], [403, 2403]);
    }
  });

  test('can be listed, but not changed, with an app password', async () => {
    const drive = await driveWith([bob, 'VIEWER']);
    const { password } = await createAppPassword(ann);
    const headers = { authorization: `Bearer ${password}` };
    const call = (method: string, path: string, body?: object) =>
      ann.call(method, path, { headers, ...(body && { body }) });
    const members = `/api/v2/drives/${drive}/members`;
    assert.equal((await call('GET', members)).status, 200);
    assert.equal((await call('POST', members, { username: cleo.username, role: 'VIEWER' })).status, 403);
    assert.equal((await call('PATCH', `${members}/${bob.id}`, { role: 'EDITOR' })).status, 403);
    assert.equal((await call('DELETE', `${members}/${bob.id}`)).status, 403);
    assert.equal((await call('GET', '/api/v2/people?query=')).status, 403);
  });
});

describe('a manager', () => {
  test('adds people by username or e-mail address, in any case', async () => {
    const drive = await driveWith();
    const added = await addMember(ann, drive, { username: bob.username.toUpperCase(), role: 'VIEWER' });
    assert.equal(added.status, 200);
    assert.deepEqual(
      { ...added.data, since: '' },
      {
        ...{ accountId: bob.id, username: bob.username, displayName: bob.username },
        ...{ role: 'VIEWER', since: '', addedBy: { accountId: ann.id, displayName: ann.username } },
      },
    );
    const { email } = await cleo.ask<{ email: string }>('GET', '/api/user/profile');
    assert.equal((await addMember(ann, drive, { email, role: 'MANAGER' })).data.accountId, cleo.id);
    assert.equal((await inDrive(bob, drive).list()).total, 0);
  });

  test('cannot add someone twice, an unknown account, or without exactly one name', async () => {
    const drive = await driveWith([bob, 'VIEWER']);
    const role = 'VIEWER';
    assert.equal((await addMember(ann, drive, { username: bob.username, role })).status, 409);
    assert.equal((await addMember(ann, drive, { username: ann.username, role })).status, 409);
    assert.equal((await addMember(ann, drive, { username: 'no.such.account', role })).status, 404);
    assert.equal((await addMember(ann, drive, { email: 'no such address', role })).status, 404);
    assert.equal((await addMember(ann, drive, { role })).status, 400);
    const both = { username: cleo.username, email: 'cleo@example.org', role };
    assert.equal((await addMember(ann, drive, both)).status, 400);
    assert.equal((await addMember(ann, drive, { username: cleo.username, role: 'OWNER' })).status, 400);
  });

  test('changes roles and removes members, who then have no access', async () => {
    const drive = await driveWith([bob, 'VIEWER']);
    assert.equal((await setRole(ann, drive, bob, 'EDITOR')).data.role, 'EDITOR');
    await inDrive(bob, drive).mkdir('/by bob');
    assert.equal((await setRole(ann, drive, cleo, 'EDITOR')).status, 404);
    assert.equal((await removeMember(ann, drive, cleo)).status, 404);
    assert.equal((await removeMember(ann, drive, bob)).status, 200);
    await inDrive(bob, drive).refused(404, 1003, 'GET', '/api/files/list?path=/');
    assert.equal((await removeMember(ann, drive, bob)).status, 404);
    assert.deepEqual(await inDrive(ann, drive).names(), ['by bob']);
  });

  test('who is the last one can neither leave nor be demoted', async () => {
    const drive = await driveWith([bob, 'EDITOR']);
    assert.equal((await removeMember(ann, drive, ann)).status, 409);
    assert.equal((await setRole(ann, drive, ann, 'EDITOR')).status, 409);
    assert.equal((await setRole(ann, drive, ann, 'MANAGER')).status, 200);
    assert.equal((await setRole(ann, drive, bob, 'MANAGER')).status, 200);
    assert.equal((await setRole(ann, drive, ann, 'VIEWER')).status, 200);
    assert.equal((await removeMember(ann, drive, ann)).status, 200);
    assert.deepEqual(await rolesIn(bob, drive), [[bob.id, 'MANAGER']]);
  });
});

test('editors and viewers cannot change members, but they can leave', async () => {
  const drive = await driveWith([bob, 'EDITOR'], [cleo, 'VIEWER']);
  for (const person of [bob, cleo]) {
    const added = await addMember(person, drive, { username: stranger.username, role: 'VIEWER' });
    assert.equal(added.status, 403);
    // Only managers learn whether an account exists.
    assert.equal((await addMember(person, drive, { username: 'nobody', role: 'VIEWER' })).status, 403);
    assert.equal((await setRole(person, drive, person, 'MANAGER')).status, 403);
    assert.equal((await removeMember(person, drive, ann)).status, 403);
    assert.equal((await removeMember(person, drive, person)).status, 200);
    assert.equal((await listMembers(person, drive)).status, 404);
  }
  assert.deepEqual(await rolesIn(ann, drive), [[ann.id, 'MANAGER']]);
});

describe('the answer to a removal', () => {
  test('means that uploads are cancelled, tasks have failed, and archive downloads are gone', async () => {
    const drive = await driveWith([bob, 'EDITOR']);
    const there = inDrive(bob, drive);
    const { task, session, download } = await begin(there);
    const own = await begin(bob);
    assert.equal((await bob.fetch('GET', download)).status, 200);
    assert.equal((await removeMember(ann, drive, bob)).status, 200);
    assert.equal((await bob.fetch('GET', download)).status, 404);
    assert.equal(await statusOf(session), 'CANCELLED');
    const { status, failureCategory } = await getTask(inDrive(ann, drive), task);
    assert.deepEqual([status, failureCategory], ['FAILED', 'DATA_STATE']);
    // The person's uploads and tasks in other drives continue.
    assert.equal((await bob.fetch('GET', own.download)).status, 200);
    assert.equal(await statusOf(own.session), 'CREATED');
    assert.equal((await getTask(bob, own.task)).status, 'QUEUED');
    // The announced bytes no longer count: all of the quota can be announced again.
    await openSession(inDrive(ann, drive), { filename: 'all', size: 1_000_000_000 - 1 });
  });

  test('does not depend on what others have begun', async () => {
    const drive = await driveWith([bob, 'EDITOR'], [cleo, 'EDITOR']);
    const { task, session, download } = await begin(inDrive(cleo, drive));
    await removeMember(ann, drive, bob);
    assert.equal((await cleo.fetch('GET', download)).status, 200);
    assert.equal(await statusOf(session), 'CREATED');
    assert.equal((await getTask(inDrive(cleo, drive), task)).status, 'QUEUED');
  });
});

test('an archive download in a shared drive ends while its account is banned', async () => {
  const dora = await holdall.register('dora');
  const drive = await driveWith([dora, 'EDITOR']);
  const { download } = await begin(inDrive(dora, drive));
  const { user } = asAdmin(await holdall.admin());
  await user(dora, 'status', { banned: true });
  assert.equal((await holdall.anonymous.fetch('GET', download)).status, 404);
});

test('a demotion to VIEWER ends uploads and tasks, but not archive downloads', async () => {
  const drive = await driveWith([bob, 'MANAGER']);
  const there = inDrive(bob, drive);
  const { task, session, download } = await begin(there);
  assert.equal((await setRole(ann, drive, bob, 'EDITOR')).status, 200);
  assert.deepEqual([await statusOf(session), (await getTask(there, task)).status], ['CREATED', 'QUEUED']);
  assert.equal((await setRole(ann, drive, bob, 'VIEWER')).status, 200);
  assert.deepEqual([await statusOf(session), (await getTask(there, task)).status], ['CANCELLED', 'FAILED']);
  assert.equal((await bob.fetch('GET', download)).status, 200);
  await there.refused(403, 1002, 'POST', '/api/files/mkdir', { body: { path: '/no' } });
});

test('a drive has at most 1,000 members', async () => {
  const drive = await driveWith();
  const account = await database.db
    .selectFrom('account')
    .select(['username', 'folded_username'])
    .where('id', '=', bob.id)
    .executeTakeFirstOrThrow();
  await database.transact(async (tx) => {
    for (let index = 1; index < 1_000; index += 1) {
      const name = `m${index}-${account.folded_username}`;
      const { id } = await tx
        .insertInto('account')
        .values({
          ...{ username: name, folded_username: name, display_name: name, role: 'USER', banned: 0 },
          ...{ must_change_password: 0, created_at: 0, updated_at: 0 },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('drive_member')
        .values({ drive_id: drive, account_id: id, role: 'VIEWER', added_by: null, since: index })
        .execute();
    }
    await recountMembers(tx, drive);
  });
  assert.equal((await listMembers(ann, drive)).data.length, 1_000);
  assert.equal((await addMember(ann, drive, { username: bob.username, role: 'VIEWER' })).status, 413);
  assert.equal((await listMembers(bob, drive)).status, 404);
});

test('an account is a member of at most 1,000 drives', async () => {
  const dora = await holdall.register('dora');
  await database.transact(async (tx) => {
    for (let index = 0; index < 1_000; index += 1) {
      const limits = { quota_bytes: 1, max_upload_bytes: 1, max_entries: 1 };
      const { id } = await tx
        .insertInto('drive')
        .values({ kind: 'SHARED', account_id: null, name: 'x', created_at: 0, member_count: 1, ...limits })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('drive_member')
        .values({ drive_id: id, account_id: dora.id, role: 'MANAGER', added_by: null, since: 0 })
        .execute();
    }
  });
  const drive = await driveWith();
  assert.equal((await addMember(ann, drive, { username: dora.username, role: 'VIEWER' })).status, 413);
  assert.deepEqual(await rolesIn(ann, drive), [[ann.id, 'MANAGER']]);
  // A deleted drive does not count.
  const own = database.db.selectFrom('drive_member').select('drive_id').where('account_id', '=', dora.id);
  await database.transact((tx) =>
    tx.updateTable('drive').set({ deleted_at: 1 }).where('id', 'in', own.limit(1)).execute(),
  );
  assert.equal((await addMember(ann, drive, { username: dora.username, role: 'VIEWER' })).status, 200);
});

test('the system can add members and change roles, but not take away the last manager', async () => {
  const drive = await driveWith();
  const { drives } = holdall.app;
  const put = (person: Person, role: DriveRole) =>
    drives.withDriveLock({ driveId: drive, accountId: null }, 0, (tx) =>
      drives.members.put(tx, { driveId: drive, accountId: person.id, role, addedBy: null }),
    );
  assert.equal((await put(bob, 'VIEWER')).role, 'VIEWER');
  await assert.rejects(put(ann, 'EDITOR'), { kind: 'conflict' });
  assert.equal((await put(bob, 'MANAGER')).role, 'MANAGER');
  assert.equal((await put(ann, 'EDITOR')).role, 'EDITOR');
  assert.deepEqual(await rolesIn(ann, drive), [
    [ann.id, 'EDITOR'],
    [bob.id, 'MANAGER'],
  ]);
});

/** Begins an upload, a task and an archive download. */
async function begin(person: Person) {
  const directory = await person.mkdir(`/of ${person.username}`);
  const task = await queueTask(person, directory);
  const { session } = await openSession(person, { filename: 'announced', size: 1_000_000 });
  const { url } = await person.ask<{ url: string }>('POST', '/api/v2/downloads', {
    body: { fileIds: [directory.id] },
  });
  const { pathname, search } = new URL(url);
  return { task, session, download: `${pathname}${search}` };
}

async function statusOf({ sessionId }: { sessionId: string }): Promise<string | undefined> {
  const row = await database.db
    .selectFrom('upload_session')
    .select('status')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return row?.status;
}
