// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, describe, type TestContext, test } from 'node:test';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { type Holdall, startHoldall } from '../support/app/holdall.ts';
import { type Answer, formOf, type Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { listStoredFiles } from '../support/drive/stored-files.ts';
import { closeLockGate, type LockGate } from '../support/drives/lock-gate.ts';
import { removeMember, rolesIn, setRole } from '../support/drives/members.ts';
import { createSharedDrive, DRIVE_HEADER, inDrive } from '../support/drives/shared-drives.ts';
import { PausedUpload } from '../support/network/paused-upload.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { getTask, queueTask, waitFor } from '../support/tasks/tasks.ts';
import { ok, openSession } from '../support/uploads/upload-session.ts';

const env = { HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
await withoutDirect(holdall);
const elsewhere: Holdall = isPostgres
  ? await startHoldall({ env: { ...env, HOLDALL_WORKER_CONCURRENCY: '0' }, beside: holdall })
  : holdall;
const instances = [holdall, elsewhere];
const urls = instances.map(({ url }) => url);
const { database } = holdall.app;

afterEach(() => checkBooks(holdall));

/** A drive of a manager, who calls one instance, and an editor, who calls the other. */
async function enter() {
  const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
  const drive = await createSharedDrive(holdall, [
    [ann, 'MANAGER'],
    [bob, 'EDITOR'],
  ]);
  const manager = atEveryInstance(ann, urls)[1] as Person;
  return { manager, ann: inDrive(ann, drive), bob, editor: inDrive(bob, drive), drive };
}

/** Holds what the person does in the drive just before it takes effect. */
function holdChanges(context: TestContext, person: { id: number }): LockGate {
  return closeLockGate(context, instances, ({ accountId }) => accountId === person.id);
}

/** Reduces the rights of the editor while the change waits at the gate. Returns the answer to the change. */
async function reduceDuring<T>(
  gate: LockGate,
  reduce: () => Promise<Answer<unknown>>,
  change: () => Promise<T>,
): Promise<T> {
  const changing = change();
  await gate.reached();
  assert.equal((await reduce()).status, 200);
  gate.open();
  return changing;
}

test('of two managers who demote each other at once, one stays manager', async (context) => {
  const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
  const drive = await createSharedDrive(holdall, [
    [ann, 'MANAGER'],
    [bob, 'MANAGER'],
  ]);
  const gate = closeLockGate(context, instances, ({ driveId }) => driveId === drive);
  const there = atEveryInstance(bob, urls)[1] as Person;
  const answers = Promise.all([setRole(ann, drive, bob, 'VIEWER'), setRole(there, drive, ann, 'VIEWER')]);
  await gate.reached(2);
  gate.open();
  const statuses = (await answers).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [200, 403]);
  const roles = (await rolesIn(ann, drive)).map(([, role]) => role);
  assert.deepEqual(roles.toSorted(), ['MANAGER', 'VIEWER']);
});

test('of two managers who leave at once, one stays manager', async (context) => {
  const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
  const drive = await createSharedDrive(holdall, [
    [ann, 'MANAGER'],
    [bob, 'MANAGER'],
  ]);
  const gate = closeLockGate(context, instances, ({ driveId }) => driveId === drive);
  const there = atEveryInstance(bob, urls)[1] as Person;
  const answers = Promise.all([removeMember(ann, drive, ann), removeMember(there, drive, bob)]);
  await gate.reached(2);
  gate.open();
  const statuses = (await answers).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [200, 409]);
});

const reductions = [
  { what: 'removed', status: 404, reduce: removeMember },
  {
    ...{ what: 'demoted', status: 403 },
    reduce: (person: Person, drive: number, member: { id: number }) =>
      setRole(person, drive, member, 'VIEWER'),
  },
] as const;

for (const { what, status, reduce } of reductions) {
  describe(`nothing takes effect after its editor was ${what}:`, () => {
    test('a form upload whose bytes are still arriving', async () => {
      const { manager, ann, bob, editor, drive } = await enter();
      const bytes = new Uint8Array(1_000_000);
      const line = 'POST /api/files/upload';
      const headers = { [DRIVE_HEADER]: String(drive) };
      const upload = await PausedUpload.start(editor, {
        line,
        name: 'held',
        bytes,
        encoding: 'form',
        headers,
      });
      await waitUntil('its bytes are reserved', async () => (await countReservations(drive)) === 1);
      assert.equal((await reduce(manager, drive, bob)).status, 200);
      assert.equal(await upload.finish(), status);
      assert.deepEqual(await ann.names(), []);
      await waitUntil('nothing is reserved', async () => (await countReservations(drive)) === 0);
    });

    test('a small upload', async (context) => {
      const { manager, ann, bob, editor, drive } = await enter();
      const gate = holdChanges(context, bob);
      const answer = await reduceDuring(
        gate,
        () => reduce(manager, drive, bob),
        () => editor.call('POST', '/api/files/upload', { body: formOf('/small', 'small') }),
      );
      assert.equal(answer.status, status);
      assert.deepEqual(await ann.names(), []);
    });

    test('the completion of an upload session', async (context) => {
      const { manager, ann, bob, editor, drive } = await enter();
      const { session, calls } = await openSession(editor, { filename: 'announced', size: 5 });
      ok(await calls.send('bytes'));
      const gate = holdChanges(context, bob);
      const answer = await reduceDuring(
        gate,
        () => reduce(manager, drive, bob),
        () => calls.complete(),
      );
      assert.equal(answer.status, status);
      assert.deepEqual(await ann.names(), []);
      assert.deepEqual(await unfinishedSessions(drive), []);
      await untilBytesAreGone(session.sessionId);
    });

    test('a task', async (context) => {
      const { manager, ann, bob, editor, drive } = await enter();
      const directory = await editor.mkdir('/directory');
      const gate = holdChanges(context, bob);
      const task = await reduceDuring(
        gate,
        () => reduce(manager, drive, bob),
        () => queueTask(editor, directory),
      );
      const { status: ended, failureCategory } = await getTask(ann, task);
      assert.deepEqual([ended, failureCategory], ['FAILED', 'DATA_STATE']);
      await waitFor(
        () => countStoredObjects(),
        (count) => count === 0,
        'the archive is removed',
      );
      assert.deepEqual(await ann.names(), ['directory']);
    });

    test('an import', async (context) => {
      const { manager, ann, bob, editor, drive } = await enter();
      const file = await bob.upload('/own', 'own');
      const { token } = await bob.ask<{ token: string }>('POST', '/api/v2/shares', {
        body: { fileId: file.id },
      });
      const gate = holdChanges(context, bob);
      const answer = await reduceDuring(
        gate,
        () => reduce(manager, drive, bob),
        () => editor.call('POST', `/api/v2/shares/${token}/import`, { body: {} }),
      );
      assert.equal(answer.status, status);
      assert.deepEqual(await ann.names(), []);
      await bob.recycle(file);
    });

    test('a restore from the bin', async (context) => {
      const { manager, ann, bob, editor, drive } = await enter();
      const file = await ann.upload('/recycled', 'recycled');
      await ann.recycle(file);
      const gate = holdChanges(context, bob);
      const answer = await reduceDuring(
        gate,
        () => reduce(manager, drive, bob),
        () => editor.call('POST', `/api/files/recycle-bin/${file.id}/restore`),
      );
      assert.equal(answer.status, status);
      assert.deepEqual(await ann.names(), []);
    });
  });
}

test('a change that has the lock of the drive takes effect before the removal', async (context) => {
  const { manager, ann, bob, editor, drive } = await enter();
  const gate = closeLockGate(context, instances, ({ accountId }) => accountId === manager.id);
  const removing = removeMember(manager, drive, bob);
  await gate.reached();
  await editor.mkdir('/in time');
  gate.open();
  assert.equal((await removing).status, 200);
  await editor.refused(404, 1003, 'POST', '/api/files/mkdir', { body: { path: '/too late' } });
  assert.deepEqual(await ann.names(), ['in time']);
});

test('an archive download that is prepared during the removal cannot be used', async (context) => {
  const { manager, bob, editor, drive } = await enter();
  const directory = await editor.mkdir('/directory');
  const { zipTickets } = holdall.app.drive;
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const create = zipTickets.create.bind(zipTickets);
  const held: typeof zipTickets.create = async (...request) => {
    reached.resolve();
    await opened.promise;
    return create(...request);
  };
  context.mock.method(zipTickets, 'create', held);
  const creating = editor.ask<{ url: string }>('POST', '/api/v2/downloads', {
    body: { fileIds: [directory.id] },
  });
  await reached.promise;
  assert.equal((await removeMember(manager, drive, bob)).status, 200);
  opened.resolve();
  const { pathname, search } = new URL((await creating).url);
  await bob.refused(404, 2404, 'GET', `${pathname}${search}`);
});

async function countReservations(drive: number): Promise<number> {
  const rows = await database.db
    .selectFrom('upload_reservation')
    .select('id')
    .where('drive_id', '=', drive)
    .execute();
  return rows.length;
}

function unfinishedSessions(drive: number) {
  return database.db
    .selectFrom('upload_session')
    .select(['id', 'status'])
    .where('drive_id', '=', drive)
    .where('status', '<>', 'CANCELLED')
    .execute();
}

/** The bytes of a cancelled session are removed after the answer. */
async function untilBytesAreGone(id: string): Promise<void> {
  const row = await database.db
    .selectFrom('upload_session')
    .select(['object_key', 'stored_key'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const keys = [row.object_key, row.stored_key].filter((key) => key !== null);
  await waitUntil('the bytes of the session are removed', async () => {
    const names = await listStoredFiles(holdall);
    return !names.some((name) => keys.some((key) => name.includes(key)));
  });
}

async function countStoredObjects(): Promise<number> {
  const blobs = await database.db.selectFrom('blob').select('id').where('reference_count', '>', 0).execute();
  return blobs.length === 0 ? (await listStoredFiles(holdall)).length : 0;
}
