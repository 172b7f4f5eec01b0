// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE } from '../../src/base/clock.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { addMember, setRole } from '../support/drives/members.ts';
import {
  createDrive,
  createSharedDrive,
  deleteDrive,
  restoreDrive,
} from '../support/drives/shared-drives.ts';
import { lettersTo, MAIL_ENVIRONMENT, verifyEmail } from '../support/mail/letters.ts';
import { dataOf, listNotifications, readAll } from '../support/notifications/listed.ts';

const holdall = await startHoldall({ env: { ...MAIL_ENVIRONMENT, HOLDALL_RATE_LIMITS: 'off' } });

describe('a member of a shared drive', () => {
  test('is told about being added and about a new role, with the name of who did it', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    await ann.ask('PUT', '/api/user/profile', { body: { displayName: 'Ann' } });
    const driveId = await createSharedDrive(holdall, [[ann, 'MANAGER']], { name: 'Plans' });
    assert.equal((await addMember(ann, driveId, { username: bob.username, role: 'VIEWER' })).status, 200);
    await readAll(bob);
    assert.equal((await setRole(ann, driveId, bob, 'EDITOR')).status, 200);
    assert.equal((await setRole(ann, driveId, bob, 'EDITOR')).status, 200);
    const told = { driveId, driveName: 'Plans', byName: 'Ann' };
    assert.deepEqual(await dataOf(bob, 'DRIVE_MEMBER'), [
      { ...told, role: 'EDITOR', isNew: false },
      { ...told, role: 'VIEWER', isNew: true },
    ]);
    assert.deepEqual(await dataOf(ann, 'DRIVE_MEMBER'), []);
  });

  test('is told once about many changes within ten minutes, and then the last role', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const email = await verifyEmail(holdall, bob);
    const driveId = await createSharedDrive(holdall, [[ann, 'MANAGER']], { name: 'Plans' });
    await addMember(ann, driveId, { username: bob.username, role: 'EDITOR' });
    for (const role of ['VIEWER', 'EDITOR', 'MANAGER', 'VIEWER'] as const)
      await setRole(ann, driveId, bob, role);
    const seen = async () => (await dataOf(bob, 'DRIVE_MEMBER')).map(({ role, isNew }) => [role, isNew]);
    const countMails = async () =>
      (await lettersTo(holdall, email)).filter(({ letter }) => letter.kind === 'DRIVE_MEMBER').length;
    assert.deepEqual(await seen(), [['VIEWER', true]]);
    assert.equal(await countMails(), 1);
    const other = await createSharedDrive(holdall, [[ann, 'MANAGER']], { name: 'Other' });
    await addMember(ann, other, { username: bob.username, role: 'EDITOR' });
    assert.equal(await countMails(), 2, 'another drive');
    holdall.clock.advance(10 * MINUTE);
    await setRole(ann, driveId, bob, 'MANAGER');
    assert.deepEqual((await seen())[0], ['MANAGER', false]);
    await setRole(ann, driveId, bob, 'EDITOR');
    assert.deepEqual((await seen())[0], ['EDITOR', false]);
    assert.equal(await countMails(), 3);
    assert.equal((await listNotifications(bob)).unread, 3);
  });

  test('is told about a drive that is created with them, and its creator is not', async () => {
    const [ann, bob, eve] = [
      await holdall.register('ann'),
      await holdall.register('bob'),
      await holdall.register('eve'),
    ];
    await createDrive(ann, 'New', [
      { person: bob, role: 'VIEWER' },
      { person: eve, role: 'MANAGER' },
    ]);
    assert.deepEqual(await dataOf(ann, 'DRIVE_MEMBER'), []);
    const rolesOf = async (person: typeof bob) =>
      (await dataOf(person, 'DRIVE_MEMBER')).map(({ role, isNew }) => [role, isNew]);
    assert.deepEqual([await rolesOf(bob), await rolesOf(eve)], [[['VIEWER', true]], [['MANAGER', true]]]);
  });

  test('is not told what they do themselves', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const driveId = await createSharedDrive(holdall, [
      [ann, 'MANAGER'],
      [bob, 'MANAGER'],
    ]);
    assert.equal((await setRole(ann, driveId, ann, 'VIEWER')).status, 200);
    assert.deepEqual(await dataOf(ann, 'DRIVE_MEMBER'), []);
    assert.deepEqual(await dataOf(bob, 'DRIVE_MEMBER'), []);
  });

  test('is told about a role from an administrator, unless the drive is deleted', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const admin = await holdall.admin();
    const drive = await createDrive(ann, 'Plans');
    const put = (role: string) =>
      admin.ask('PUT', `/api/admin/drives/${drive.id}/members/${bob.id}`, { body: { role } });
    await put('VIEWER');
    await readAll(bob);
    await put('EDITOR');
    const seen = async () => (await dataOf(bob, 'DRIVE_MEMBER')).map(({ role, isNew }) => [role, isNew]);
    const expected = [
      ['EDITOR', false],
      ['VIEWER', true],
    ];
    assert.deepEqual(await seen(), expected);
    assert.equal((await deleteDrive(ann, drive)).status, 200);
    await put('MANAGER');
    assert.deepEqual(await seen(), expected);
    assert.equal((await restoreDrive(ann, drive)).status, 200);
  });

  test('is told about becoming the manager after the account of the last one was deleted', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const driveId = await createSharedDrive(
      holdall,
      [
        [ann, 'MANAGER'],
        [bob, 'EDITOR'],
      ],
      { name: 'Plans' },
    );
    const body = { username: ann.username };
    await (await holdall.admin()).ask('DELETE', `/api/admin/users/${ann.id}`, { body });
    assert.deepEqual(await dataOf(bob, 'DRIVE_MEMBER'), [
      { driveId, driveName: 'Plans', role: 'MANAGER', isNew: false, byName: null },
    ]);
  });
});
