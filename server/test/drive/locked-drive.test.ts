// tier: default
// runs on: postgres
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { lockDrive } from '../../src/drives/drives.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { formOf, type Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { countStatuses, race } from '../support/checks/race.ts';
import { listTasks, retryTask, waitFor } from '../support/tasks/tasks.ts';

const holdall = await startHoldall({ env: { HOLDALL_DEFAULT_DIRECTORIES: 'Documents' } });

const upload = (person: Person, path: string) =>
  person.call('POST', '/api/files/upload', { body: formOf(path, 'x') });
const mkdir = (person: Person, path: string) => person.call('POST', '/api/files/mkdir', { body: { path } });

afterEach(() => checkBooks(holdall));

// SQLite has one connection, so no transaction can lock a drive for longer than a few statements.
describe('a drive that is locked for a long time', () => {
  it('delays requests of its owner only', async () => {
    const { database } = holdall.app;
    const [busy, other] = [await holdall.register('busy'), await holdall.register('other')];
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = database.transact(async (tx) => {
      await lockDrive(tx, busy.driveId);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    const waiting = race([busy], 40, (each, index) =>
      index % 2 === 0 ? mkdir(each, `/waiting-${index}`) : upload(each, `/waiting-${index}`),
    );
    try {
      await race([other], 40, (each, index) => each.upload(`/quick-${index}`, 'x'));
      assert.equal((await busy.list()).total, 1);
    } finally {
      released.resolve();
      await holding;
    }
    assert.deepEqual(countStatuses(await waiting), { 200: 40 });
  });

  it('delays the retry of a metadata task, which returns the task that a change of the file adds', async () => {
    const { database } = holdall.app;
    const [person, other] = [await holdall.register('retrying'), await holdall.register('other')];
    const file = await person.upload('/fake.png', 'no picture', 'image/png');
    const failed = await waitFor(
      async () => (await listTasks(person)).items[0],
      (task) => task?.status === 'FAILED',
    );
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const changing = database.transact(async (tx) => {
      await lockDrive(tx, person.driveId);
      held.resolve();
      await released.promise;
      const later = holdall.clock.now() + 3_600_000;
      const { rows } = await sql<{ id: number }>`
        insert into task (drive_id, account_id, type, status, entry_id, input, progress, attempt, attempt_count,
          max_attempts, unknown_failures, run_at, created_at, updated_at)
        values (${person.driveId}, ${person.id}, 'MEDIA_META', 'QUEUED', ${file.id}, '{}', '{}', 0, 0, 4, 0,
          ${later}, ${later}, ${later}) returning id`.execute(tx);
      return rows[0]?.id;
    });
    await held.promise;
    let isAnswered = false;
    const retried = retryTask(person, { id: failed?.id ?? 0 }).finally(() => {
      isAnswered = true;
    });
    await race([other], 10, (each, index) => each.upload(`/quick-${index}`, 'x'));
    assert.equal(isAnswered, false);
    released.resolve();
    assert.equal((await retried).id, await changing);
  });
});
