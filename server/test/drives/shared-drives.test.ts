// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { DAY } from '../../src/base/clock.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance } from '../support/checks/race.ts';
import {
  createDrive,
  DRIVES,
  deleteDrive,
  inDrive,
  listDrives,
  markDeleted,
  purgeDrives,
  restoreDrive,
} from '../support/drives/shared-drives.ts';
import { linkFolder, Visitor } from '../support/folder-links/folder-links.ts';
import { getTask, queueTask } from '../support/tasks/tasks.ts';
import { openSession } from '../support/uploads/upload-session.ts';

const MAX_DRIVES = 3;

const env = {
  HOLDALL_WORKER_CONCURRENCY: '0',
  HOLDALL_RATE_LIMITS: 'off',
  HOLDALL_MAX_SHARED_DRIVES: String(MAX_DRIVES),
  HOLDALL_DEFAULT_QUOTA_BYTES: '1000000',
};
const TABLES_OF_DRIVES = [
  ...['dav_lock', 'dav_property', 'drive_member', 'entry', 'event', 'file_version', 'folder_link', 'share'],
  ...['star', 'task', 'upload_reservation', 'upload_session', 'zip_ticket'],
] as const;

const holdall = await startHoldall({ env });
const { db } = holdall.app.database;

afterEach(() => checkBooks(holdall));

async function openTeam() {
  const ann = await holdall.register('ann');
  const ben = await holdall.register('ben');
  const eve = await holdall.register('eve');
  const drive = await createDrive(ann, 'Team', [{ person: ben, role: 'EDITOR' }]);
  return { ann, ben, eve, drive, inDrive: inDrive(ann, drive.id) };
}

describe('a new shared drive', () => {
  test('is managed by its creator and has the limits of new accounts', async () => {
    const ann = await holdall.register('ann');
    const drive = await createDrive(ann, 'Team');
    const { id, createdAt, maxEntries, maxUploadBytes, ...rest } = drive;
    const [own] = await listDrives(ann);
    assert.deepEqual(rest, {
      ...{ kind: 'SHARED', name: 'Team', role: 'MANAGER', usedBytes: 0, quotaBytes: 1_000_000 },
      ...{ entryCount: 0, memberCount: 1, deletedAt: null },
    });
    assert.deepEqual([maxEntries, maxUploadBytes], [own?.maxEntries, own?.maxUploadBytes]);
    assert.ok(Math.abs(Date.parse(createdAt) - holdall.clock.now()) < 60_000);
    const there = inDrive(ann, id);
    assert.deepEqual(await there.names('/'), []);
    await there.upload('/a/file', 'text');
    assert.deepEqual(await there.names('/a'), ['file']);
    assert.equal((await listDrives(ann))[1]?.usedBytes, 4);
  });

  test('has its first members with their roles', async () => {
    const { ann, ben, eve, drive } = await openTeam();
    assert.equal(drive.memberCount, 2);
    const [, seen] = await listDrives(ben);
    assert.deepEqual([seen?.id, seen?.role, seen?.memberCount], [drive.id, 'EDITOR', 2]);
    assert.equal((await listDrives(eve)).length, 1);
    const body = { name: 'Other', members: [{ username: eve.username.toUpperCase(), role: 'VIEWER' }] };
    assert.equal((await ann.ask<{ memberCount: number }>('POST', DRIVES, { body })).memberCount, 2);
  });

  test('is not created if a member does not exist, is named twice, or is the creator', async () => {
    const { ann, ben } = await openTeam();
    const create = (...usernames: string[]) => {
      const members = usernames.map((username) => ({ username, role: 'VIEWER' }));
      return { body: { name: 'New', members } };
    };
    await ann.refused(404, 2404, 'POST', DRIVES, create(ben.username, 'no.one'));
    await ann.refused(409, 2409, 'POST', DRIVES, create(ben.username, ben.username.toUpperCase()));
    await ann.refused(409, 2409, 'POST', DRIVES, create(ann.username));
    const many = Array.from({ length: 101 }, (_, index) => `person.${index}`);
    await ann.refused(400, 2400, 'POST', DRIVES, create(...many));
    assert.equal((await listDrives(ann)).length, 2);
  });

  test('needs a name of at most 64 characters that follows the rules of file names', async () => {
    const ann = await holdall.register('ann');
    const names = ['', ' ', '.', '..', 'a/b', 'a\\b', 'a\u0007b', 'x'.repeat(65), '\u{10400}'.repeat(64)];
    for (const name of names) await ann.refused(400, 2400, 'POST', DRIVES, { body: { name } });
    await ann.refused(400, 2400, 'POST', DRIVES, { body: {} });
    assert.equal((await createDrive(ann, '\u{10400}'.repeat(63))).name, '\u{10400}'.repeat(63));
    assert.equal((await createDrive(ann, 'Cafe\u0301')).name, 'Café');
    assert.equal((await createDrive(ann, 'Café')).name, 'Café');
  });

  test('counts against the limit of its creator until it is purged', async () => {
    const { ann, drive } = await openTeam();
    for (let count = 1; count < MAX_DRIVES; count += 1) await createDrive(ann);
    const body = { name: 'one too many' };
    await ann.refused(413, 2413, 'POST', DRIVES, { body });
    await deleteDrive(ann, drive);
    await ann.refused(413, 2413, 'POST', DRIVES, { body });
    holdall.clock.advance(10 * DAY + 1);
    await purgeDrives(holdall);
    await ann.logIn();
    await createDrive(ann);
  });
});

test('the list has the personal drive first, then shared drives by name', async () => {
  const [ann, ben] = [await holdall.register('ann'), await holdall.register('ben')];
  for (const name of ['Team 10', 'team 9', 'Ärzte']) await createDrive(ann, name);
  await createDrive(ben, 'Books', [{ person: ann, role: 'VIEWER' }]);
  const drives = await listDrives(ann);
  assert.deepEqual(
    drives.map(({ name }) => name),
    [null, 'Ärzte', 'Books', 'team 9', 'Team 10'],
  );
  const { id, kind, role, memberCount } = drives[0] ?? {};
  assert.deepEqual([id, kind, role, memberCount], [ann.driveId, 'PERSONAL', 'MANAGER', 1]);
});

describe('only managers', () => {
  test('rename a drive', async () => {
    const { ann, ben, eve, drive } = await openTeam();
    const path = `${DRIVES}/${drive.id}`;
    const options = { body: { name: 'Crew' } };
    await eve.refused(404, 2404, 'PATCH', path, options);
    await ben.refused(403, 2403, 'PATCH', path, options);
    assert.equal((await ann.ask<{ name: string }>('PATCH', path, options)).name, 'Crew');
    assert.equal((await listDrives(ben))[1]?.name, 'Crew');
    await ann.refused(400, 2400, 'PATCH', path, { body: { name: 'a/b' } });
  });

  test('delete a drive, and must know its name', async () => {
    const { ann, ben, eve, drive } = await openTeam();
    assert.equal((await deleteDrive(eve, drive)).status, 404);
    assert.equal((await deleteDrive(ben, drive)).status, 403);
    assert.equal((await deleteDrive(ann, { ...drive, name: 'team' })).status, 400);
    assert.equal((await listDrives(ann)).length, 2);
    assert.deepEqual((await deleteDrive(ann, drive)).data, null);
  });

  test('restore a drive', async () => {
    const { ann, ben, eve, drive } = await openTeam();
    assert.equal((await restoreDrive(ann, drive)).status, 400);
    await deleteDrive(ann, drive);
    assert.equal((await restoreDrive(eve, drive)).status, 404);
    assert.equal((await restoreDrive(ben, drive)).status, 403);
    assert.deepEqual((await restoreDrive(ann, drive)).data, drive);
  });
});

test('a personal drive cannot be renamed, deleted or restored, and those of others do not exist', async () => {
  const [ann, ben] = [await holdall.register('ann'), await holdall.register('ben')];
  for (const [person, status] of [
    [ann, 403],
    [ben, 404],
  ] as const) {
    const path = `${DRIVES}/${ann.driveId}`;
    const options = { body: { name: 'mine' } };
    assert.equal((await person.call('PATCH', path, options)).status, status);
    assert.equal((await person.call('DELETE', path, options)).status, status);
    assert.equal((await person.call('POST', `${path}/restore`)).status, status);
  }
});

describe('a deleted drive', () => {
  test('does not exist any more, but is listed among the deleted ones', async () => {
    const { ann, ben, drive, inDrive } = await openTeam();
    const file = await inDrive.upload('/file', 'text');
    await deleteDrive(ann, drive);
    await inDrive.refused(404, 1003, 'GET', '/api/files/list?path=/');
    await inDrive.refused(404, 1003, 'DELETE', `/api/files/${file.id}`);
    assert.equal((await deleteDrive(ann, drive)).status, 404);
    await ann.refused(404, 2404, 'PATCH', `${DRIVES}/${drive.id}`, { body: { name: 'New' } });
    for (const person of [ann, ben]) {
      assert.equal((await listDrives(person)).length, 1);
      const [deleted, ...more] = await listDrives(person, { deleted: true });
      assert.deepEqual([deleted?.id, more], [drive.id, []]);
      assert.ok(Math.abs(Date.parse(deleted?.deletedAt ?? '') - holdall.clock.now()) < 60_000);
    }
    await restoreDrive(ann, drive);
    assert.deepEqual(await listDrives(ann, { deleted: true }), []);
    assert.equal((await inDrive.download(file)).toString(), 'text');
  });

  test('has no working shares, folder links and archives until it is restored', async () => {
    const { ann, drive, inDrive } = await openTeam();
    const file = await inDrive.upload('/in/file', 'text');
    const share = await inDrive.ask<{ token: string }>('POST', '/api/v2/shares', {
      body: { fileId: file.id },
    });
    const visitor = new Visitor(holdall.url, await linkFolder(inDrive, null, { mode: 'BOTH' }));
    const ticket = await inDrive.ask<{ url: string }>('POST', '/api/v2/downloads', {
      body: { fileIds: [file.id] },
    });
    const { pathname, search } = new URL(ticket.url, holdall.url);
    const statuses = async () => [
      (await visitor.fetch('GET', `/api/v2/shares/${share.token}`)).status,
      (await visitor.call('GET', visitor.at())).status,
      (await visitor.send(`${Math.random()}`, 'sent')).status,
      (await visitor.fetch('HEAD', pathname + search)).status,
    ];
    const { ownerName, title } = await visitor.see();
    assert.deepEqual([ownerName, title], ['Team', 'Team']);
    assert.deepEqual(await statuses(), [200, 200, 200, 200]);
    await deleteDrive(ann, drive);
    assert.deepEqual(await statuses(), [404, 404, 404, 404]);
    await restoreDrive(ann, drive);
    assert.deepEqual(await statuses(), [200, 200, 200, 200]);
  });

  test('ends its unfinished tasks and uploads, which stay ended after it is restored', async () => {
    const { ann, drive, inDrive } = await openTeam();
    const task = await queueTask(inDrive, await inDrive.upload('/in/file', 'text'));
    const { calls } = await openSession(inDrive, { path: '/', filename: 'unfinished', size: 5 });
    await deleteDrive(ann, drive);
    await restoreDrive(ann, drive);
    assert.equal((await getTask(inDrive, task)).status, 'CANCELLED');
    assert.equal((await calls.get()).data.status, 'CANCELLED');
  });

  test('is purged after ten days, with everything in it', async () => {
    const { ann, drive, inDrive } = await openTeam();
    const file = await inDrive.upload('/in/file', 'text');
    await inDrive.ask('PUT', `/api/v2/files/${file.id}/content`, { body: new TextEncoder().encode('newer') });
    await inDrive.recycle(await inDrive.upload('/recycled', 'text'));
    await queueTask(inDrive, file);
    await openSession(inDrive, { path: '/', filename: 'unfinished', size: 5 });
    await linkFolder(inDrive, null);
    await inDrive.ask('POST', '/api/v2/shares', { body: { fileId: file.id } });
    await inDrive.ask('PUT', `/api/v2/files/${file.id}/star`);
    await inDrive.ask('POST', '/api/v2/downloads', { body: { fileIds: [file.id] } });
    for (const table of ['entry', 'star', 'share', 'zip_ticket', 'file_version'] as const) {
      const rows = await db.selectFrom(table).select('drive_id').where('drive_id', '=', drive.id).execute();
      assert.notDeepEqual(rows, [], table);
    }
    await deleteDrive(ann, drive);
    holdall.clock.advance(10 * DAY - 60_000);
    await purgeDrives(holdall);
    await ann.logIn();
    assert.equal((await listDrives(ann, { deleted: true })).length, 1);
    holdall.clock.advance(60_001);
    await purgeDrives(holdall);
    assert.deepEqual(await listDrives(ann, { deleted: true }), []);
    assert.equal((await restoreDrive(ann, drive)).status, 404);
    for (const table of TABLES_OF_DRIVES) {
      const rows = await db.selectFrom(table).select('drive_id').where('drive_id', '=', drive.id).execute();
      assert.deepEqual(rows, [], table);
    }
    assert.deepEqual(await db.selectFrom('drive').select('id').where('id', '=', drive.id).execute(), []);
  });

  test('cannot be restored once its purge has begun', async () => {
    const { ann, drive, inDrive } = await openTeam();
    await inDrive.upload('/file', 'text');
    await deleteDrive(ann, drive);
    await holdall.app.drivePurgeJob.settle();
    // The state after a purge that was interrupted after its first transaction.
    await markDeleted(holdall, drive.id, 0);
    assert.equal((await restoreDrive(ann, drive)).status, 404);
    assert.deepEqual(await listDrives(ann, { deleted: true }), []);
    await purgeDrives(holdall);
    assert.deepEqual(await db.selectFrom('drive').select('id').where('id', '=', drive.id).execute(), []);
  });
});

describe('the setting HOLDALL_SHARED_DRIVES', () => {
  test('lets only administrators and moderators create drives if it is admins', async () => {
    const strict = await startHoldall({
      beside: holdall,
      env: { ...env, HOLDALL_SHARED_DRIVES: 'admins' },
    });
    const admin = await holdall.admin();
    const [ann, mo] = [await strict.register('ann'), await strict.register('mo')];
    await asAdmin(admin).user(mo, 'role', { role: 'MODERATOR' });
    await ann.refused(403, 2403, 'POST', DRIVES, { body: { name: 'Team' } });
    const drive = await createDrive(mo, 'Team', [{ person: ann, role: 'VIEWER' }]);
    assert.deepEqual(
      (await listDrives(ann)).map(({ id, mayCreateDrives }) => [id, mayCreateDrives]),
      [
        [ann.driveId, false],
        [drive.id, undefined],
      ],
    );
    assert.equal((await listDrives(mo))[0]?.mayCreateDrives, true);
  });

  test('keeps existing drives usable if it is off', async () => {
    const closed = await startHoldall({ beside: holdall, env: { ...env, HOLDALL_SHARED_DRIVES: 'off' } });
    const here = await holdall.register('ann');
    const drive = await createDrive(here);
    const [ann = here] = atEveryInstance(here, [closed.url]);
    await ann.refused(403, 2403, 'POST', DRIVES, { body: { name: 'Team' } });
    assert.deepEqual(
      [(await listDrives(here))[0]?.mayCreateDrives, (await listDrives(ann))[0]?.mayCreateDrives],
      [true, false],
    );
    await inDrive(ann, drive.id).upload('/file', 'text');
    await ann.ask('PATCH', `${DRIVES}/${drive.id}`, { body: { name: 'New' } });
  });
});

test('the list of drives tells whether searches find content', async () => {
  const other = await startHoldall({ beside: holdall, env: { ...env, HOLDALL_CONTENT_SEARCH: 'off' } });
  const here = await holdall.register('ann');
  await createDrive(here);
  const [there = here] = atEveryInstance(here, [other.url]);
  const listed = [await listDrives(here), await listDrives(there)];
  assert.deepEqual(
    listed.map((drives) => drives.map(({ findsContent }) => findsContent)),
    [
      [true, undefined],
      [false, undefined],
    ],
  );
});
