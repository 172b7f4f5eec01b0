// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AuditedActions } from '../../src/admin/audited-actions.ts';
import type { AdminDrive, AdminDriveMember } from '../../src/admin/drives/contract.ts';
import { AdminDrives } from '../../src/admin/drives/drives.ts';
import type { Caller } from '../../src/http/caller.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { countStatuses, race } from '../support/checks/race.ts';
import { addSharedDrive } from '../support/drives/admin-drive.ts';
import { createDrive, inDrive } from '../support/drives/shared-drives.ts';

const holdall = await startHoldall();
const admin = await holdall.admin();
const view = asAdmin(admin);
const [ann, bob, carol] = [
  await holdall.register('ann'),
  await holdall.register('bob'),
  await holdall.register('carol'),
];

const at = (id: number, rest: string) => `/api/admin/drives/${id}/${rest}`;

/** A drive with ann as its manager, bob as an editor, and one file. */
async function newDrive(name: string): Promise<number> {
  const members = [[ann, 'MANAGER'] as const, [bob, 'EDITOR'] as const];
  const id = await addSharedDrive(holdall, { name, members });
  await inDrive(ann, id).upload('/plan.txt', 'plan');
  return id;
}

const newestAudit = async (id: number) =>
  (await view.audits({ targetType: 'DRIVE', targetId: id, size: 1 })).items[0];

describe('the list of drives', async () => {
  const team = await newDrive('Équipe 100%');
  const gone = await addSharedDrive(holdall, { name: 'Old team', deletedAt: holdall.clock.now() });

  const idsOf = async (query: Record<string, string | boolean>) =>
    (await view.drives(query)).items.map(({ id }) => id);

  test('shows a shared drive with its usage, limits and members', async () => {
    const [drive] = (await view.drives({ kind: 'SHARED', deleted: false })).items;
    assert.deepEqual(drive, {
      ...{ id: team, kind: 'SHARED', name: 'Équipe 100%', ownerId: null, ownerUsername: null },
      ...{ creatorId: ann.id, usedBytes: 4, quotaBytes: 1_000_000, entryCount: 1, maxEntries: 1_000 },
      ...{ fileCount: 1, maxUploadBytes: 100_000, memberCount: 2, managerCount: 1 },
      ...{ createdAt: drive?.createdAt, deletedAt: null },
    });
  });

  test('shows a personal drive with its owner, who is its only member', async () => {
    const { items } = await view.drives({ query: carol.username.toUpperCase() });
    assert.equal(items.length, 1);
    const { id, kind, name, ownerId, ownerUsername, creatorId, memberCount, managerCount } =
      items[0] ?? assert.fail();
    assert.deepEqual(
      [id, kind, name, ownerId, ownerUsername, creatorId, memberCount, managerCount],
      [carol.driveId, 'PERSONAL', null, carol.id, carol.username, null, 1, 1],
    );
  });

  test('is filtered by part of a name without regard to case, by kind, and by deletion', async () => {
    assert.deepEqual(await idsOf({ query: 'éQUIPE' }), [team]);
    assert.deepEqual(await idsOf({ query: '100%' }), [team]);
    assert.deepEqual(await idsOf({ query: 'no such drive' }), []);
    assert.deepEqual(await idsOf({ deleted: true }), [gone]);
    assert.deepEqual(await idsOf({ kind: 'SHARED' }), [gone, team]);
    const { items, total } = await view.drives({ kind: 'PERSONAL', size: 2 });
    assert.equal(total, 4);
    assert.deepEqual(
      items.map(({ id }) => id),
      [carol.driveId, bob.driveId],
    );
  });

  test('is only for administrators, and rejects an unknown kind', async () => {
    await ann.refused(403, 1002, 'GET', '/api/admin/drives');
    assert.equal((await admin.call('GET', '/api/admin/drives?kind=BOTH')).status, 400);
  });
});

describe('the limits of a drive', () => {
  test('of a shared drive change alone or together, apply at once, and are audited', async () => {
    const id = await newDrive('Limits');
    const changed = await admin.ask<AdminDrive>('PATCH', at(id, 'limits'), { body: { maxUploadBytes: 5 } });
    assert.deepEqual([changed.maxUploadBytes, changed.quotaBytes], [5, 1_000_000]);
    const upload = { body: { path: '/', filename: 'six.txt', size: 6 } };
    const { status } = await inDrive(bob, id).call('POST', '/api/v2/files/upload-sessions', upload);
    assert.equal(status, 413);
    await admin.ask('PATCH', at(id, 'limits'), { body: { quotaBytes: 2_000, maxEntries: 7 } });
    const { action, actor, target, detailsJson } = (await newestAudit(id)) ?? assert.fail();
    assert.deepEqual([action, actor, target], ['UPDATE_DRIVE_LIMITS', 'admin', 'Limits']);
    assert.deepEqual(detailsJson, {
      before: { quotaBytes: 1_000_000, maxEntries: 1_000, maxUploadBytes: 5 },
      after: { quotaBytes: 2_000, maxEntries: 7, maxUploadBytes: 5 },
    });
  });

  test('of a personal drive follow the rules of its owner’s account', async () => {
    const moderator = await holdall.register('moderator');
    await view.user(moderator, 'role', { role: 'MODERATOR' });
    const body = { quotaBytes: 5_000 };
    await moderator.ask('PATCH', at(carol.driveId, 'limits'), { body });
    const [user] = (await view.users({ query: carol.username })).items;
    assert.equal(user?.storageQuotaBytes, 5_000);
    const [own] = (await view.drives({ query: 'admin', kind: 'PERSONAL' })).items;
    const refused = await moderator.call('PATCH', at(own?.id ?? 0, 'limits'), { body });
    assert.equal(refused.status, 403);
  });

  test('are rejected if they are missing or not positive, or if there is no such drive', async () => {
    const id = await newDrive('Rejected');
    for (const body of [{}, { quotaBytes: 0 }, { maxEntries: -1 }, { maxUploadBytes: null }]) {
      assert.equal((await admin.call('PATCH', at(id, 'limits'), { body })).status, 400);
    }
    const missing = await admin.call('PATCH', at(77, 'limits'), { body: { maxEntries: 1 } });
    assert.equal(missing.status, 404);
    assert.equal(await newestAudit(id), undefined);
  });
});

describe('the members of a shared drive', () => {
  const put = (driveId: number, accountId: number, role: string) =>
    admin.call<AdminDriveMember>('PUT', at(driveId, `members/${accountId}`), { body: { role } });

  test('are listed with their roles, the oldest first', async () => {
    const id = await newDrive('Listed');
    holdall.clock.advance(1_000);
    await put(id, carol.id, 'VIEWER');
    assert.deepEqual(
      (await view.members(id)).map(({ accountId, username, role }) => [accountId, username, role]),
      [
        [ann.id, ann.username, 'MANAGER'],
        [bob.id, bob.username, 'EDITOR'],
        [carol.id, carol.username, 'VIEWER'],
      ],
    );
  });

  test('can get a manager when they have none, which is audited and counts at once', async () => {
    const id = await addSharedDrive(holdall, { name: 'Orphan' });
    const { data } = await put(id, carol.id, 'MANAGER');
    assert.deepEqual([data.accountId, data.role], [carol.id, 'MANAGER']);
    await inDrive(carol, id).upload('/mine.txt', 'mine');
    const { action, target, summary, detailsJson } = (await newestAudit(id)) ?? assert.fail();
    assert.deepEqual(
      [action, target, summary],
      ['SET_DRIVE_MEMBER', 'Orphan', `Made ${carol.username} MANAGER of the drive Orphan.`],
    );
    const { username } = carol;
    assert.deepEqual(detailsJson, { accountId: carol.id, username, before: null, after: 'MANAGER' });
  });

  test('keep the time since which they are members when their role changes, and unchanged roles are not audited', async () => {
    const id = await newDrive('Kept');
    const [, before] = await view.members(id);
    holdall.clock.advance(1_000);
    const { data } = await put(id, bob.id, 'VIEWER');
    assert.deepEqual(data, { ...before, role: 'VIEWER' });
    await inDrive(bob, id).refused(403, 1002, 'POST', '/api/files/mkdir', { body: { path: '/no' } });
    const audited = await newestAudit(id);
    assert.equal((await put(id, bob.id, 'VIEWER')).status, 200);
    assert.deepEqual(await newestAudit(id), audited);
  });

  test('always include a manager: the last one cannot be demoted', async () => {
    const id = await newDrive('Managed');
    assert.equal((await put(id, ann.id, 'EDITOR')).status, 409);
    await put(id, bob.id, 'MANAGER');
    const answers = await race([admin], 6, (_, index) => put(id, index % 2 ? ann.id : bob.id, 'VIEWER'));
    assert.ok((countStatuses(answers)[409] ?? 0) >= 1, JSON.stringify(answers));
    const managers = (await view.members(id)).filter(({ role }) => role === 'MANAGER');
    assert.equal(managers.length, 1);
  });

  test('are not those of a personal drive, and must be live accounts', async () => {
    const id = await newDrive('Strict');
    assert.equal((await put(carol.driveId, ann.id, 'VIEWER')).status, 403);
    assert.equal((await admin.call('GET', at(carol.driveId, 'members'))).status, 403);
    assert.equal((await put(id, 77, 'VIEWER')).status, 404);
    assert.equal((await put(77, ann.id, 'VIEWER')).status, 404);
    assert.equal((await put(id, carol.id, 'OWNER')).status, 400);
    const leaving = await holdall.register('leaving');
    const body = { username: leaving.username };
    await admin.ask('DELETE', `/api/admin/users/${leaving.id}`, { body });
    assert.equal((await put(id, leaving.id, 'VIEWER')).status, 404);
  });
});

test('a moderator can give a drive a manager, but cannot change the role of an administrator', async () => {
  const moderator = await holdall.register('mo');
  await view.user(moderator, 'role', { role: 'MODERATOR' });
  const chief = await holdall.register('chief');
  await view.user(chief, 'role', { role: 'ADMIN' });
  const body = { role: 'MANAGER' };
  const id = await newDrive('Moderated');
  await moderator.ask('PUT', at(id, `members/${carol.id}`), { body });
  assert.equal((await moderator.call('PUT', at(id, `members/${chief.id}`), { body })).status, 403);
  assert.equal((await view.members(id)).length, 3);
  await admin.ask('PUT', at(id, `members/${chief.id}`), { body });
});

test('a request about a drive that was authorized just before its sender was demoted changes nothing', async () => {
  const { database, audit, accounts, drives } = holdall.app;
  const adminDrives = new AdminDrives({
    ...{ database, accounts, drives, clock: holdall.clock },
    actions: new AuditedActions(database, audit),
  });
  const id = await newDrive('Guarded');
  const caller: Caller = {
    ...{ accountId: ann.id, driveId: ann.driveId, username: ann.username, role: 'MODERATOR' },
    ...{ sessionId: '', client: 'desktop', tokenExpiresAt: Number.POSITIVE_INFINITY },
    ...{ mustChangePassword: false, mustSetUpSecondFactor: false },
  };
  const member = { driveId: id, accountId: ann.id, role: 'MANAGER' } as const;
  for (const change of [
    () => adminDrives.delete(caller, id, 'Guarded'),
    () => adminDrives.setLimits(caller, id, { maxEntries: 5 }),
    () => adminDrives.setMember(caller, member),
    () => adminDrives.restore(caller, id),
  ]) {
    await assert.rejects(change, { kind: 'forbidden' });
  }
  assert.equal(await newestAudit(id), undefined);
});

test('a drive disappears from the list once its purge has begun', async () => {
  const id = await addSharedDrive(holdall, { name: 'Purging', deletedAt: 0 });
  assert.equal((await view.drives({ query: 'purging' })).total, 0);
  assert.equal((await admin.call('POST', at(id, 'restore'))).status, 404);
  assert.equal((await admin.call('GET', at(id, 'members'))).status, 404);
});

test('the creation of a shared drive is audited, with its creator', async () => {
  const { id } = await createDrive(ann, 'Audited', [{ person: bob, role: 'VIEWER' }]);
  const { action, actor, target, detailsJson } = (await newestAudit(id)) ?? assert.fail();
  assert.deepEqual([action, actor, target], ['CREATE_DRIVE', ann.username, 'Audited']);
  assert.deepEqual(detailsJson, { memberCount: 2 });
});

describe('deleting a shared drive', () => {
  test('closes it at once, keeps its content, and is audited once', async () => {
    const id = await newDrive('Closing');
    const remove = () => admin.call('DELETE', `/api/admin/drives/${id}`, { body: { name: 'Closing' } });
    const answers = await race([admin], 4, remove);
    assert.deepEqual(countStatuses(answers), { 200: 4 });
    assert.equal((await inDrive(ann, id).call('GET', '/api/files/list?path=/')).status, 404);
    const { items, total } = await view.audits({ targetType: 'DRIVE', targetId: id });
    assert.equal(total, 1);
    const { action, detailsJson } = items[0] ?? assert.fail();
    assert.equal(action, 'DELETE_DRIVE');
    assert.deepEqual(detailsJson, { memberCount: 2, entryCount: 1, usedBytes: 4 });
    const [drive] = (await view.drives({ deleted: true, query: 'closing' })).items;
    assert.ok(Date.parse(drive?.deletedAt ?? '') <= holdall.clock.now());
  });

  test('needs its name, and is not for personal drives', async () => {
    const id = await newDrive('Named');
    const remove = (drive: number, name: string) =>
      admin.call('DELETE', `/api/admin/drives/${drive}`, { body: { name } });
    assert.equal((await remove(id, 'named')).status, 400);
    assert.equal((await remove(carol.driveId, carol.username)).status, 403);
    assert.equal((await remove(77, 'Named')).status, 404);
    await inDrive(bob, id).upload('/still.txt', 'here');
  });

  test('can be undone: content, members and roles are as before', async () => {
    const id = await newDrive('Returning');
    const before = await view.members(id);
    await admin.ask('DELETE', `/api/admin/drives/${id}`, { body: { name: 'Returning' } });
    const restored = await admin.ask<AdminDrive>('POST', at(id, 'restore'));
    assert.deepEqual([restored.id, restored.deletedAt, restored.usedBytes], [id, null, 4]);
    assert.deepEqual(await view.members(id), before);
    assert.deepEqual(await inDrive(bob, id).names(), ['plan.txt']);
    assert.equal((await newestAudit(id))?.action, 'RESTORE_DRIVE');
  });

  test('can be undone for a drive whose only member was deleted, which then gets a manager', async () => {
    const leaver = await holdall.register('leaver');
    const id = await addSharedDrive(holdall, { name: 'Left alone', members: [[leaver, 'MANAGER']] });
    await inDrive(leaver, id).upload('/plan.txt', 'plan');
    const body = { username: leaver.username };
    await admin.ask('DELETE', `/api/admin/users/${leaver.id}`, { body });
    const restored = await admin.ask<AdminDrive>('POST', at(id, 'restore'));
    assert.deepEqual([restored.memberCount, restored.managerCount], [0, 0]);
    await admin.ask('PUT', at(id, `members/${carol.id}`), { body: { role: 'MANAGER' } });
    assert.deepEqual(await inDrive(carol, id).names(), ['plan.txt']);
  });

  test('cannot be undone for a drive that is not deleted, and not for a personal drive', async () => {
    const id = await newDrive('Live');
    assert.equal((await admin.call('POST', at(id, 'restore'))).status, 400);
    assert.equal((await admin.call('POST', at(carol.driveId, 'restore'))).status, 403);
    assert.equal((await admin.call('POST', at(77, 'restore'))).status, 404);
  });

  test('leaves the books in balance', () => checkBooks(holdall));
});
