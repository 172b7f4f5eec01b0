// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { DAY } from '../../src/base/clock.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';
import {
  createDrive,
  DRIVE_HEADER,
  DRIVES,
  deleteDrive,
  inDrive,
  listDrives,
  restoreDrive,
} from '../support/drives/shared-drives.ts';
import { PausedUpload } from '../support/network/paused-upload.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { waitFor } from '../support/tasks/tasks.ts';

const MAX_DRIVES = 4;

const env = { HOLDALL_RATE_LIMITS: 'off', HOLDALL_MAX_SHARED_DRIVES: String(MAX_DRIVES) };
const holdall = await startHoldall({ env });
const secondInstance = await startHoldall({ beside: holdall, env });
await withoutDirect(holdall);
const urls = [holdall.url, secondInstance.url];
const { app } = holdall;

afterEach(() => checkBooks(holdall));

/** Waits for the runs that deletions have triggered. */
async function settle(): Promise<void> {
  await app.drivePurgeJob.settle();
  await secondInstance.app.drivePurgeJob.settle();
}

test('simultaneous creations make exactly as many drives as an account may have', async () => {
  const ann = await holdall.register('ann');
  const answers = await race(atEveryInstance(ann, urls), 16, (person) =>
    person.call('POST', DRIVES, { body: { name: 'Team' } }),
  );
  assert.deepEqual(countStatuses(answers), { 200: MAX_DRIVES, 413: 16 - MAX_DRIVES });
  assert.equal((await listDrives(ann)).length, 1 + MAX_DRIVES);
});

test('people who create drives with each other as members do not wait for each other', async () => {
  const people = [await holdall.register('ann'), await holdall.register('ben')];
  const usernames = people.map(({ username }) => username);
  const calls = people.flatMap((person, index) => {
    const members = [{ username: usernames[1 - index], role: 'EDITOR' }];
    return atEveryInstance(person, urls).map((at) =>
      at.call('POST', DRIVES, { body: { name: 'Team', members } }),
    );
  });
  assert.deepEqual(countStatuses(await Promise.all(calls)), { 200: 4 });
  for (const person of people) assert.equal((await listDrives(person)).length, 5);
});

describe('simultaneous creations from directories', () => {
  test('make one drive from one directory', async () => {
    const ann = await holdall.register('ann');
    await ann.upload('/Plans/file', 'text');
    const [directory] = (await ann.list()).items.filter(({ filename }) => filename === 'Plans');
    const answers = await race(atEveryInstance(ann, urls), 8, (person) =>
      person.call('POST', DRIVES, { body: { name: 'Team', fromFileId: directory?.id } }),
    );
    assert.deepEqual(countStatuses(answers), { 200: 1, 404: 7 });
    const [, drive, ...more] = await listDrives(ann);
    assert.deepEqual([drive?.usedBytes, more, (await ann.bin()).total], [4, [], 1]);
  });

  test('make exactly as many drives as an account may have, and keep the other directories', async () => {
    const ann = await holdall.register('ann');
    const directories: EntryRecord[] = [];
    for (let index = 0; index < 2 * MAX_DRIVES; index += 1)
      directories.push(await ann.mkdir(`/dir-${index}`));
    const answers = await race(atEveryInstance(ann, urls), directories.length, (person, index) =>
      person.call('POST', DRIVES, { body: { name: 'Team', fromFileId: directories[index]?.id } }),
    );
    assert.deepEqual(countStatuses(answers), { 200: MAX_DRIVES, 413: MAX_DRIVES });
    assert.equal((await listDrives(ann)).length, 1 + MAX_DRIVES);
    assert.equal((await ann.bin()).total, MAX_DRIVES);
  });

  test('keep everything that is uploaded into the directory meanwhile', async () => {
    const ann = await holdall.register('ann');
    const directory = await ann.mkdir('/Plans');
    const clients = atEveryInstance(ann, urls);
    const [created, ...uploads] = await Promise.all([
      clients[0]?.call<{ id: number }>('POST', DRIVES, { body: { name: 'Team', fromFileId: directory.id } }),
      ...Array.from({ length: 6 }, (_, index) => clients[index % 2]?.upload(`/Plans/${index}`, `${index}`)),
    ]);
    assert.equal(created?.status, 200);
    const [drive] = (await listDrives(ann)).slice(1);
    const later = (await ann.names()).includes('Plans') ? await ann.names('/Plans') : [];
    const moved = await inDrive(ann, drive?.id ?? 0).names();
    assert.equal(moved.length + later.length, uploads.length);
  });
});

describe('simultaneous deletions and restorations', () => {
  test('delete a drive once and restore it once', async () => {
    const ann = await holdall.register('ann');
    const drive = await createDrive(ann);
    const clients = atEveryInstance(ann, urls);
    const deletions = await race(clients, 6, (person) => deleteDrive(person, drive));
    assert.deepEqual(countStatuses(deletions), { 200: 1, 404: 5 });
    const restorations = await race(clients, 6, (person) => restoreDrive(person, drive));
    assert.deepEqual(countStatuses(restorations), { 200: 1, 400: 5 });
    await settle();
  });

  test('leave the drive as the last of them says', async () => {
    const ann = await holdall.register('ann');
    const drive = await createDrive(ann);
    const file = await inDrive(ann, drive.id).upload('/file', 'text');
    const clients = atEveryInstance(ann, urls);
    const answers = await race(clients, 24, async (person, index) => {
      const isDeletion = index % 4 < 2;
      const { status } = await (isDeletion ? deleteDrive(person, drive) : restoreDrive(person, drive));
      return { isDeletion, status };
    });
    const count = (isDeletion: boolean) =>
      answers.filter((answer) => answer.isDeletion === isDeletion && answer.status === 200).length;
    const isLive = (await listDrives(ann)).length === 2;
    assert.equal(count(true) - count(false), isLive ? 0 : 1, JSON.stringify(answers));
    for (const { isDeletion, status } of answers) {
      assert.ok([200, isDeletion ? 404 : 400, 404].includes(status), `${isDeletion} ${status}`);
    }
    if (!isLive) await restoreDrive(ann, drive);
    assert.equal((await inDrive(ann, drive.id).download(file)).toString(), 'text');
    await settle();
  });
});

test('a drive that is restored and purged at the same time is either whole or gone', async () => {
  const names = Array.from({ length: 3 }, (_, index) => `file ${index}`);
  const ann = await holdall.register('ann');
  const drives = await Promise.all(names.map((name) => createDrive(ann, name)));
  for (const drive of drives) {
    for (const name of names) await inDrive(ann, drive.id).upload(`/in/${name}`, name);
    await deleteDrive(ann, drive);
  }
  await settle();
  holdall.clock.advance(10 * DAY + 1);
  await ann.logIn();
  const [answers] = await Promise.all([
    Promise.all(drives.map((drive) => restoreDrive(ann, drive))),
    app.drivePurge.run(new AbortController().signal),
    secondInstance.app.drivePurge.run(new AbortController().signal),
  ]);
  await app.drivePurge.run(new AbortController().signal);
  for (const [index, { status }] of answers.entries()) {
    const drive = drives[index] ?? assert.fail();
    if (status === 200) {
      assert.deepEqual(await inDrive(ann, drive.id).names('/in'), names);
      continue;
    }
    assert.equal(status, 404);
    assert.deepEqual(await listDrives(ann, { deleted: true }), []);
    assert.deepEqual(
      await app.database.db.selectFrom('drive').select('id').where('id', '=', drive.id).execute(),
      [],
    );
  }
});

test('an upload that ends after the deletion of its drive stores nothing', async () => {
  const ann = await holdall.register('ann');
  const drive = await createDrive(ann);
  const there = inDrive(ann, drive.id);
  const paused = await PausedUpload.start(ann, {
    line: 'POST /api/files/upload',
    name: 'late',
    bytes: new Uint8Array(1_000_000),
    encoding: 'form',
    headers: { [DRIVE_HEADER]: String(drive.id) },
  });
  const countReservations = async () => {
    const rows = await app.database.db.selectFrom('upload_reservation').select('drive_id').execute();
    return rows.filter((row) => row.drive_id === drive.id).length;
  };
  await waitFor(countReservations, (count) => count === 1, 'the upload has begun');
  await deleteDrive(ann, drive);
  await settle();
  assert.equal(await paused.finish(), 404);
  assert.equal(await countReservations(), 0);
  await restoreDrive(ann, drive);
  assert.deepEqual(await there.names('/'), []);
});
