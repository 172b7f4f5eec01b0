// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { DAY } from '../../src/base/clock.ts';
import { JobFailure } from '../../src/tasks/engine/job.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { createDrive, DRIVES, inDrive } from '../support/drives/shared-drives.ts';
import { toldTo } from '../support/notifications/told.ts';
import {
  cancelTask,
  getTask,
  queueTask,
  retryTask,
  ScriptedJob,
  untilAborted,
  waitFor,
  waitForStatus,
} from '../support/tasks/tasks.ts';

const archives = new ScriptedJob();
const metadata = new ScriptedJob('MEDIA_META');
const holdall = await startHoldall({ jobs: [archives, metadata] });
const { app, clock } = holdall;

const fail = async () => {
  throw new JobFailure('DATA_STATE', 'The file has disappeared.');
};
metadata.does(fail);

afterEach(() => checkBooks(holdall));

async function openDirectory() {
  const owner = await holdall.register('owner');
  return { owner, directory: await owner.mkdir('/directory') };
}

describe('the account of a task', () => {
  test('is told when the task fails for good, and again if it retries the task in vain', async () => {
    const { owner, directory } = await openDirectory();
    archives.does(fail);
    const task = await queueTask(owner, directory);
    await waitForStatus(owner, task, 'FAILED');
    const told = {
      ...{ taskId: task.id, type: 'ARCHIVE', driveId: owner.driveId },
      error: 'The file has disappeared.',
    };
    assert.deepEqual(await toldTo(holdall, owner, 'TASK_FAILED'), [told]);
    await retryTask(owner, task);
    await waitForStatus(owner, task, 'FAILED');
    assert.deepEqual(await toldTo(holdall, owner, 'TASK_FAILED'), [told, told]);
  });

  test('is not told while the task is retried', async () => {
    const { owner, directory } = await openDirectory();
    archives.does(async () => {
      throw new Error('unknown');
    });
    const task = await queueTask(owner, directory);
    const waiting = await waitFor(
      () => getTask(owner, task),
      ({ publicStateJson }) => publicStateJson.retryScheduled === true,
      'the first failure',
    );
    assert.deepEqual(await toldTo(holdall, owner, 'TASK_FAILED'), []);
    clock.advance(Math.max(0, Date.parse(String(waiting.publicStateJson.nextRetryAt)) - clock.now()) + 1);
    await app.tasks.runner.recover();
    await waitForStatus(owner, task, 'FAILED');
    assert.equal((await toldTo(holdall, owner, 'TASK_FAILED')).length, 1);
  });

  test('is told when the workers of the task were lost too often', async () => {
    const { owner, directory } = await openDirectory();
    archives.does(untilAborted);
    const running = archives.next();
    const task = await queueTask(owner, directory);
    await running;
    await app.database.transact((tx) =>
      tx
        .updateTable('task')
        .set({ attempt_count: 99, lease_expires_at: clock.now() })
        .where('id', '=', task.id)
        .execute(),
    );
    await app.tasks.runner.recover();
    assert.equal((await getTask(owner, task)).status, 'FAILED');
    const [told] = await toldTo(holdall, owner, 'TASK_FAILED');
    assert.equal(told?.error, 'The worker stopped before the task was completed.');
  });

  test('is not told about a cancelled task', async () => {
    const { owner, directory } = await openDirectory();
    archives.does(untilAborted);
    const running = archives.next();
    const task = await queueTask(owner, directory);
    await running;
    await cancelTask(owner, task);
    assert.deepEqual(await toldTo(holdall, owner, 'TASK_FAILED'), []);
  });

  test('is not told about a task that the service created for an upload', async () => {
    const owner = await holdall.register('owner');
    const failing = metadata.attempts.length;
    const photo = await owner.upload('/photo.jpg', 'no picture', 'image/jpeg');
    const isFailed = async () => {
      const { db } = app.database;
      const tasks = db.selectFrom('task').select('status').where('entry_id', '=', photo.id);
      return (await tasks.execute()).some(({ status }) => status === 'FAILED');
    };
    await waitFor(isFailed, (is) => is, 'the failure');
    assert.ok(metadata.attempts.length > failing);
    assert.deepEqual(await toldTo(holdall, owner, 'TASK_FAILED'), []);
  });

  test('is told when it may no longer change the drive of the task', async () => {
    const [ann, ben] = [await holdall.register('ann'), await holdall.register('ben')];
    const { id: driveId } = await createDrive(ann, 'Team', [{ person: ben, role: 'EDITOR' }]);
    const there = inDrive(ben, driveId);
    archives.does(untilAborted);
    const running = archives.next();
    const task = await queueTask(there, await there.mkdir('/directory'));
    await running;
    await ann.ask('DELETE', `${DRIVES}/${driveId}/members/${ben.id}`);
    assert.deepEqual(await toldTo(holdall, ben, 'TASK_FAILED'), [
      {
        ...{ taskId: task.id, type: 'ARCHIVE', driveId },
        error: 'The account that started this task may no longer change the drive.',
      },
    ]);
    assert.deepEqual(await toldTo(holdall, ann, 'TASK_FAILED'), []);
  });

  test('is told about its own tasks even if many automatic ones fail with them', async () => {
    const [ann, ben] = [await holdall.register('ann'), await holdall.register('ben')];
    const { id: driveId } = await createDrive(ann, 'Team', [{ person: ben, role: 'EDITOR' }]);
    const there = inDrive(ben, driveId);
    archives.does(untilAborted);
    const running = archives.next();
    const task = await queueTask(there, await there.mkdir('/directory'));
    await running;
    await app.database.transact(async (tx) => {
      const row = tx.selectFrom('task').selectAll().where('id', '=', task.id);
      const { id: _, ...copied } = await row.executeTakeFirstOrThrow();
      const waiting = {
        ...{ ...copied, status: 'QUEUED' as const, run_at: clock.now() + DAY, correlation_id: null },
        ...{ worker: null, heartbeat_at: null, lease_expires_at: null },
      };
      const automatic = Array.from({ length: 30 }, () => ({ ...waiting, is_automatic: 1 as const }));
      await tx
        .insertInto('task')
        .values([...automatic, waiting])
        .execute();
    });
    await ann.ask('DELETE', `${DRIVES}/${driveId}/members/${ben.id}`);
    assert.equal((await toldTo(holdall, ben, 'TASK_FAILED')).length, 2);
  });
});
