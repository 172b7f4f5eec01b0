// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { DriveRecord } from '../../src/drives/lifecycle/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { treatHalfAsLong } from '../support/database/half-long.ts';
import { rolesIn } from '../support/drives/members.ts';
import { createDrive, DRIVES, deleteDrive, inDrive, listDrives } from '../support/drives/shared-drives.ts';
import { readChanges } from '../support/events/changes.ts';

const QUOTA = 40;

const holdall = await startHoldall({
  env: {
    HOLDALL_DEFAULT_QUOTA_BYTES: `${QUOTA}`,
    HOLDALL_DEFAULT_MAX_ENTRIES: '20',
    HOLDALL_DEFAULT_DIRECTORIES: 'Work',
    HOLDALL_MAX_SHARED_DRIVES: '2',
    HOLDALL_RATE_LIMITS: 'off',
  },
});
treatHalfAsLong(holdall.app.database);

afterEach(() => checkBooks(holdall));

/** A person with a directory, which has a file, and a directory with another file. */
async function makeScene() {
  const ann = await holdall.register('ann');
  const file = await ann.upload('/Work/plan.txt', 'the plan');
  const below = await ann.upload('/Work/2026/budget.txt', 'the budget');
  const directory = (await ann.list()).items.find(({ filename }) => filename === 'Work');
  assert.ok(directory);
  return { ann, file, below, directory };
}

const create = (person: Person, directory: { readonly id: number }, more: object = {}) =>
  person.call<DriveRecord>('POST', DRIVES, { body: { name: 'Team', fromFileId: directory.id, ...more } });

async function created(answer: ReturnType<typeof create>): Promise<DriveRecord> {
  const { status, data, msg } = await answer;
  assert.equal(status, 200, msg);
  return data;
}

/** Asserts that the call is rejected and changes nothing. */
async function assertRejected(status: number, person: Person, call: () => ReturnType<typeof create>) {
  const before = [await person.state(), await listDrives(person)];
  const { status: actual, msg } = await call();
  assert.equal(actual, status, msg);
  assert.deepEqual([await person.state(), await listDrives(person)], before);
}

describe('a drive from a directory', () => {
  test('has its content, and the directory goes to the bin of the personal drive', async () => {
    const { ann, directory } = await makeScene();
    const drive = await created(create(ann, directory));
    assert.deepEqual(
      [drive.usedBytes, drive.entryCount, drive.role, drive.memberCount],
      [18, 3, 'MANAGER', 1],
    );
    const there = inDrive(ann, drive.id);
    const tree = await there.tree();
    assert.deepEqual(
      tree.map(({ path, driveId }) => [path, driveId]),
      ['/2026', '/2026/budget.txt', '/plan.txt'].map((path) => [path, drive.id]),
    );
    const plan = tree.find(({ filename }) => filename === 'plan.txt') ?? assert.fail();
    assert.equal((await there.download(plan)).toString(), 'the plan');
    assert.deepEqual([await ann.names(), await ann.usedBytes()], [[], 0]);
    assert.deepEqual(
      (await ann.bin()).items.map(({ id }) => id),
      [directory.id],
    );
  });

  test('survives when the directory is purged, and the directory when the drive is deleted', async () => {
    const { ann, file, directory } = await makeScene();
    const drive = await created(create(ann, directory));
    await ann.restore(directory);
    await deleteDrive(ann, drive);
    assert.equal((await ann.download(file)).toString(), 'the plan');
    const other = await created(create(ann, directory));
    await ann.purge(directory);
    const there = inDrive(ann, other.id);
    const [, budget] = await there.tree();
    assert.equal((await there.download(budget ?? assert.fail())).toString(), 'the budget');
  });

  test('has its members from the start', async () => {
    const { ann, directory } = await makeScene();
    const [ben, eve] = [await holdall.register('ben'), await holdall.register('eve')];
    const members = [
      { username: ` ${ben.username.toUpperCase()} `, role: 'EDITOR' },
      { username: eve.username, role: 'VIEWER' },
    ];
    const drive = await created(create(ann, directory, { members }));
    assert.deepEqual(
      new Map(await rolesIn(ben, drive.id)),
      new Map([
        [ann.id, 'MANAGER'],
        [ben.id, 'EDITOR'],
        [eve.id, 'VIEWER'],
      ]),
    );
    assert.deepEqual(await inDrive(eve, drive.id).names('/2026'), ['budget.txt']);
    const [record] = (await inDrive(eve, drive.id).list()).items;
    assert.deepEqual(record?.changedBy?.accountId, ann.id);
  });

  test('leaves versions, shares and stars with the original, which returns from the bin with them', async () => {
    const { ann, file, directory } = await makeScene();
    await ann.ask('PUT', `/api/v2/files/${file.id}/content`, { body: 'new plan' });
    await ann.ask('PUT', `/api/v2/files/${file.id}/star`);
    const share = await ann.ask<{ token: string }>('POST', '/api/v2/shares', { body: { fileId: file.id } });
    const open = () => holdall.anonymous.call('GET', `/api/v2/shares/${share.token}`);
    const drive = await created(create(ann, directory));
    assert.equal((await open()).status, 404);
    const there = inDrive(ann, drive.id);
    const plan = (await there.tree()).find(({ filename }) => filename === 'plan.txt') ?? assert.fail();
    assert.equal(plan.starred, false);
    assert.deepEqual(await there.ask('GET', `/api/v2/files/${plan.id}/versions`), []);
    await ann.restore(directory);
    assert.equal((await open()).status, 200);
    assert.equal((await ann.details(file)).starred, true);
    assert.equal((await ann.ask<unknown[]>('GET', `/api/v2/files/${file.id}/versions`)).length, 1);
  });

  test('is a deletion in the personal drive, and nothing in the new one', async () => {
    const { ann, directory } = await makeScene();
    const { nextCursor: cursor } = await readChanges(ann);
    const drive = await created(create(ann, directory));
    assert.deepEqual(
      (await readChanges(ann, { cursor })).items.map(({ eventType, fileId, fromPath }) => [
        ...[eventType, fileId, fromPath],
      ]),
      [['DELETED', directory.id, '/Work']],
    );
    assert.deepEqual((await readChanges(inDrive(ann, drive.id))).items, []);
  });

  test('is not affected by the choice of a drive', async () => {
    const { ann, directory } = await makeScene();
    const other = await createDrive(ann, 'Other');
    await created(create(inDrive(ann, other.id), directory));
    assert.deepEqual(await ann.names(), []);
  });
});

describe('a drive is not made, and nothing changes,', () => {
  test('from a file, the bin, the root, an unknown entry or an entry of another drive', async () => {
    const { ann, file, directory } = await makeScene();
    const ben = await holdall.register('ben');
    const foreign = await ben.mkdir('/theirs');
    const shared = await createDrive(ann, 'Other');
    const inShared = await inDrive(ann, shared.id).mkdir('/there');
    const { id: rootId } = await holdall.app.database.db
      .selectFrom('entry')
      .select('id')
      .where('drive_id', '=', ann.driveId)
      .where('parent_id', 'is', null)
      .executeTakeFirstOrThrow();
    await assertRejected(400, ann, () => create(ann, file));
    for (const id of [foreign.id, inShared.id, rootId, 9_000_000_000]) {
      await assertRejected(404, ann, () => create(ann, { id }));
    }
    await ann.recycle(directory);
    await assertRejected(404, ann, () => create(ann, directory));
    for (const id of [0, -1, 1.5]) await assertRejected(400, ann, () => create(ann, { id }));
  });

  test('from a directory that exceeds the quota or the entry limit of new accounts', async () => {
    const { ann, directory } = await makeScene();
    const admin = await holdall.admin();
    const account = `/api/admin/users/${ann.id}`;
    await admin.ask('PATCH', `${account}/storage-quota`, { body: { storageQuotaBytes: 1_000_000 } });
    await admin.ask('PATCH', `${account}/max-entries`, { body: { maxEntries: 1_000 } });
    const entries = await ann.mkdir('/many');
    for (let index = 0; index < 21; index += 1) await ann.mkdir(`/many/${index}`);
    await assertRejected(413, ann, () => create(ann, entries));
    const bytes = await ann.upload('/Work/large', 'x'.repeat(QUOTA - 17));
    await assertRejected(413, ann, () => create(ann, directory));
    await ann.recycle(bytes);
    await created(create(ann, directory));
  });

  test('if its creator has too many drives, or a member does not exist or is named twice', async () => {
    const { ann, directory } = await makeScene();
    const ben = await holdall.register('ben');
    const withMembers = (...usernames: string[]) =>
      create(ann, directory, { members: usernames.map((username) => ({ username, role: 'EDITOR' })) });
    await assertRejected(404, ann, () => withMembers(ben.username, 'no.one'));
    await assertRejected(409, ann, () => withMembers(ben.username, ` ${ben.username} `));
    await assertRejected(409, ann, () => withMembers(ann.username.toUpperCase()));
    for (const name of ['One', 'Two']) await createDrive(ann, name);
    await assertRejected(413, ann, () => create(ann, directory));
  });
});
