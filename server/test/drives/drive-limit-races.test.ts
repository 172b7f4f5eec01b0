// tier: default
// runs on: postgres
// runs on, with --full: sqlite
// Members who reach a limit of a drive at the same time, and changes that wait while the drive is deleted.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { UploadTarget } from '../../src/http/fields.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { type Answer, formOf, type Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';
import { closeLockGate } from '../support/drives/lock-gate.ts';
import { removeMember } from '../support/drives/members.ts';
import {
  createDrive,
  createManagedDrive,
  DRIVES,
  deleteDrive,
  inDrive,
  listDrives,
  restoreDrive,
} from '../support/drives/shared-drives.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { TASKS } from '../support/tasks/tasks.ts';
import { TusUpload } from '../support/uploads/tus.ts';
import { openSession } from '../support/uploads/upload-session.ts';

const env = { HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const secondInstance = await startHoldall({ env, beside: holdall });
await withoutDirect(holdall);
const instances = [holdall, secondInstance];
const urls = instances.map(({ url }) => url);

afterEach(() => checkBooks(holdall));

test('of the uploads of 30 members at once, exactly as many succeed as fit', async (context) => {
  const members: Person[] = [];
  for (let index = 0; index < 30; index += 1) members.push(await holdall.register('member'));
  const drive = await createManagedDrive(
    holdall,
    members.map((member) => [member, 'EDITOR'] as const),
    { quotaBytes: 7_500 },
  );
  const gate = closeLockGate(context, instances, ({ driveId }) => driveId === drive);
  const uploads = members.map((member, index) => {
    const at = inDrive(atEveryInstance(member, urls)[index % urls.length] as Person, drive);
    return at.call('POST', '/api/files/upload', { body: formOf(`/${index}`, 'x'.repeat(1_000)) });
  });
  await gate.reached(members.length);
  gate.open();
  assert.deepEqual(countStatuses(await Promise.all(uploads)), { 200: 7, 413: 23 });
  assert.equal((await inDrive(members[0] as Person, drive).names()).length, 7);
});

test('of 20 creations at once, as many succeed as an account may make', async () => {
  const ann = await holdall.register('ann');
  const answers = await race(atEveryInstance(ann, urls), 20, (person) =>
    person.call('POST', DRIVES, { body: { name: 'Team' } }),
  );
  assert.deepEqual(countStatuses(answers), { 200: 10, 413: 10 });
  assert.equal((await listDrives(ann)).length, 11);
});

test('of two members who give two files one name at once, one succeeds', async (context) => {
  const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
  const { id } = await createDrive(ann, 'Team', [{ person: bob, role: 'EDITOR' }]);
  const people = [inDrive(ann, id), inDrive(atEveryInstance(bob, urls).at(-1) as Person, id)];
  const files: EntryRecord[] = [];
  for (const name of ['one', 'two']) files.push(await inDrive(ann, id).upload(`/${name}`, name));
  const gate = closeLockGate(context, instances, ({ driveId }) => driveId === id);
  const renames = people.map((person, index) =>
    person.call('PATCH', `/api/files/${files[index]?.id}/rename`, { body: { filename: 'same' } }),
  );
  await gate.reached(2);
  gate.open();
  assert.deepEqual(countStatuses(await Promise.all(renames)), { 200: 1, 409: 1 });
  assert.equal((await inDrive(ann, id).names()).filter((name) => name === 'same').length, 1);
});

/** A change that is held just before it takes effect. */
interface Change {
  readonly name: string;
  /** Prepares the change. The returned function makes it. */
  readonly prepare: (there: Person, own: Person) => Promise<() => Promise<{ readonly status: number }>>;
}

const CHANGES: readonly Change[] = [
  {
    name: 'an upload',
    prepare: async (there) => () =>
      there.call('POST', '/api/files/upload', { body: formOf('/late', 'late') }),
  },
  {
    name: 'the completion of an upload session',
    prepare: async (there) => {
      const { calls } = await openSession(there, { filename: 'late', size: 4 });
      assert.equal((await calls.send('late')).status, 200);
      return () => calls.complete();
    },
  },
  {
    name: 'the completion of a legacy upload',
    prepare: async (there) => {
      const file = { filename: 'late', size: 4 };
      const target = await there.ask<UploadTarget>('POST', '/api/files/upload/initiate', { body: file });
      await there.ask(target.method, target.uploadUrl, {
        body: Buffer.from('late'),
        headers: target.headers,
      });
      const body = { ...file, storageName: target.storageName };
      return () => there.call('POST', '/api/files/upload/complete', { body });
    },
  },
  {
    name: 'the last byte of a tus upload',
    prepare: async (there) => {
      const upload = await TusUpload.create(there, 'late', 4);
      assert.equal((await upload.patch(0, 'lat')).status, 204);
      return () => upload.patch(3, 'e');
    },
  },
  {
    name: 'a new task',
    prepare: async (there) => {
      const { id: fileId, path } = await there.mkdir('/directory');
      return () => there.call('POST', `${TASKS}/archive`, { body: { fileId, path } });
    },
  },
  {
    name: 'a restoration from the bin',
    prepare: async (there) => {
      const file = await there.upload('/late', 'late');
      await there.recycle(file);
      return () => there.call('POST', `/api/files/recycle-bin/${file.id}/restore`);
    },
  },
  {
    name: 'an import',
    prepare: async (there, own) => {
      const { id: fileId } = await own.upload('/late', 'late');
      const { token } = await own.ask<{ token: string }>('POST', '/api/v2/shares', { body: { fileId } });
      return () => there.call('POST', `/api/v2/shares/${token}/import`, { body: {} });
    },
  },
];

describe('nothing takes effect after the drive was deleted:', () => {
  for (const { name, prepare } of CHANGES) {
    test(name, async (context) => {
      const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
      const drive = await createDrive(ann, 'Team', [{ person: bob, role: 'EDITOR' }]);
      const there = inDrive(bob, drive.id);
      const change = await prepare(there, bob);
      const before = await inDrive(ann, drive.id).tree();
      const gate = closeLockGate(context, instances, ({ accountId }) => accountId === bob.id);
      const changing = change();
      await gate.reached();
      const manager = atEveryInstance(ann, urls).at(-1) as Person;
      assert.equal((await deleteDrive(manager, drive)).status, 200);
      gate.open();
      assert.equal((await changing).status, 404);
      for (const { app } of instances) await app.drivePurgeJob.settle();
      assert.equal((await restoreDrive(manager, drive)).status, 200);
      assert.deepEqual(await inDrive(ann, drive.id).tree(), before);
    });
  }
});

test('every instance refuses the next request of a member who was removed at another one', async () => {
  const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
  const { id } = await createDrive(ann, 'Team', [{ person: bob, role: 'EDITOR' }]);
  const bobThere = atEveryInstance(bob, urls).map((person) => inDrive(person, id));
  for (const person of bobThere) await person.ask('GET', '/api/files/list?path=/');
  const manager = atEveryInstance(ann, urls).at(-1) as Person;
  assert.equal((await removeMember(manager, id, bob)).status, 200);
  const answers: Answer<unknown>[] = [];
  for (const person of bobThere) answers.push(await person.call('GET', '/api/files/list?path=/'));
  assert.deepEqual(countStatuses(answers), { 404: 2 });
});
