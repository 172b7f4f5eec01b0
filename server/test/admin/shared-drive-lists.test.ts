// tier: default
// runs on: sqlite
// runs on, with --full: postgres
// What is in shared drives, in the lists of administrators.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AdminTask } from '../../src/admin/tasks/contract.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { addSharedDrive } from '../support/drives/admin-drive.ts';
import { inDrive } from '../support/drives/shared-drives.ts';
import { linkFolder } from '../support/folder-links/folder-links.ts';
import { queueTask, ScriptedJob } from '../support/tasks/tasks.ts';

const job = new ScriptedJob();
const holdall = await startHoldall({ jobs: [job] });
job.does((attempt) => holdall.app.database.transact((tx) => attempt.complete(tx)));
const admin = await holdall.admin();
const view = asAdmin(admin);
const ann = await holdall.register('ann');
const before = await view.summary();
const driveId = await addSharedDrive(holdall, { name: 'Ärzte', members: [[ann, 'MANAGER']] });
const member = inDrive(ann, driveId);
const file = await member.upload('/docs/plan.txt', 'the plan of the team');
const [directory] = (await member.list('/')).items;

const DRIVE = {
  ...{ driveId, driveName: 'Ärzte' },
  ...{ ownerId: null, ownerUsername: null, ownerEmail: null },
};

/** The members of a listed thing that name its drive and its owner. */
function driveOf(listed: Readonly<Record<keyof typeof DRIVE, unknown>>) {
  const { driveId: id, driveName, ownerId, ownerUsername, ownerEmail } = listed;
  return { driveId: id, driveName, ownerId, ownerUsername, ownerEmail };
}

/** Turns a link of a personal drive into a link to an entry of the shared drive. */
function intoDrive(table: 'share' | 'folder_link', id: number, entryId: number) {
  const place = { drive_id: driveId, entry_id: entryId };
  return holdall.app.database.transact((tx) =>
    tx.updateTable(table).set(place).where('id', '=', id).execute(),
  );
}

describe('what is in a shared drive names the drive, has no owner, and is found by the name of the drive', () => {
  test('as a file', async () => {
    const { items, total } = await view.files({ ownerQuery: 'äRZ' });
    assert.equal(total, 1);
    assert.deepEqual(
      items.map((item) => [item.id, item.path, driveOf(item)]),
      [[file.id, '/docs/plan.txt', DRIVE]],
    );
    const all = await view.files();
    assert.deepEqual([all.total, all.items.map(({ id }) => id)], [1, [file.id]]);
    assert.equal((await view.files({ ownerQuery: ann.username })).total, 0);
  });

  test('as a share', async () => {
    const own = await ann.upload('/own.txt', 'a personal file');
    const share = await ann.ask<{ id: number }>('POST', '/api/v2/shares', { body: { fileId: own.id } });
    await intoDrive('share', share.id, file.id);
    const { items } = await view.shares({ userQuery: 'ärzte' });
    assert.deepEqual(
      items.map((item) => [item.id, driveOf(item)]),
      [[share.id, DRIVE]],
    );
    assert.equal((await view.shares()).items.length, 1);
    await admin.ask('DELETE', `/api/admin/shares/${share.id}`);
    const [entry] = (await view.audits({ actionType: 'DELETE_SHARE' })).items;
    assert.deepEqual(entry?.detailsJson, { kind: 'V2', ownerId: null, driveId, fileId: file.id });
  });

  test('as a folder link', async () => {
    const link = await linkFolder(ann, null);
    await intoDrive('folder_link', link.id, directory?.id ?? 0);
    const { items } = await view.folderLinks({ userQuery: 'ärzte' });
    assert.deepEqual(
      items.map((item) => [item.id, driveOf(item)]),
      [[link.id, DRIVE]],
    );
    await admin.ask('DELETE', `/api/admin/folder-links/${link.id}`);
    assert.equal((await view.folderLinks()).total, 0);
    const [entry] = (await view.audits({ actionType: 'DELETE_FOLDER_LINK' })).items;
    assert.deepEqual(entry?.detailsJson, { ownerId: null, driveId, directoryId: directory?.id });
  });

  test('as a background task', async () => {
    const task = await queueTask(member, file);
    const { items } = await view.tasks({ userQuery: 'ärzte' });
    assert.deepEqual(
      items.map((item) => [item.id, driveOf(item)]),
      [[task.id, DRIVE]],
    );
    assert.deepEqual(driveOf(await admin.ask<AdminTask>('GET', `/api/admin/tasks/${task.id}`)), DRIVE);
  });

  test('as a stored object, whose drive counts as one owner', async () => {
    const [blob] = (await view.blobs({ userQuery: 'ärzte' })).items;
    const { sampleDriveId, sampleDriveName, sampleOwnerUsername, linkedOwnerCount } = blob ?? assert.fail();
    assert.deepEqual(
      [sampleDriveId, sampleDriveName, sampleOwnerUsername, linkedOwnerCount],
      [driveId, 'Ärzte', null, 1],
    );
    assert.equal(blob?.createdByUserId, ann.id);
  });
});

test('the summary counts live shared drives, and their files', async () => {
  await addSharedDrive(holdall, { name: 'Deleted', deletedAt: holdall.clock.now() });
  const { totalSharedDrives, totalFiles } = await view.summary();
  assert.deepEqual([totalSharedDrives, totalFiles], [before.totalSharedDrives + 1, before.totalFiles + 2]);
});

test('an admin who is no member can move a file of a shared drive to its recycle bin', async () => {
  await admin.ask('DELETE', `/api/admin/files/${file.id}`);
  assert.deepEqual(
    (await member.bin()).items.map(({ filename }) => filename),
    ['plan.txt'],
  );
  const [entry] = (await view.audits({ actionType: 'DELETE_FILE' })).items;
  assert.equal(entry?.summary, 'Moved /docs/plan.txt to the recycle bin of the drive Ärzte.');
  const { driveId: audited, ownerId } = entry?.detailsJson ?? {};
  assert.deepEqual([audited, ownerId], [driveId, null]);
  await checkBooks(holdall);
});
