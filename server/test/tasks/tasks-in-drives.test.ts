// tier: default
// runs on: sqlite
// runs on, with --full: postgres
// Tasks in shared drives belong to the drive, not to the account that created them.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { createDrive, inDrive } from '../support/drives/shared-drives.ts';
import {
  cancelTask,
  getTask,
  listTasks,
  queueTask,
  retryTask,
  ScriptedJob,
  TASKS,
  untilAborted,
  waitForStatus,
} from '../support/tasks/tasks.ts';

const job = new ScriptedJob();
const holdall = await startHoldall({ jobs: [job], env: { HOLDALL_RATE_LIMITS: 'off' } });
const { database } = holdall.app;
const ann = await holdall.register('ann');
const bob = await holdall.register('bob');
const vic = await holdall.register('vic');
const { id: drive } = await createDrive(ann, 'Team', [
  { person: bob, role: 'EDITOR' },
  { person: vic, role: 'VIEWER' },
]);
const [annThere, bobThere, vicThere] = [inDrive(ann, drive), inDrive(bob, drive), inDrive(vic, drive)];
const directory = await bobThere.mkdir('/directory');

afterEach(() => checkBooks(holdall));

test('every member sees the tasks of the drive, and no one sees them elsewhere', async () => {
  job.does((attempt) => database.transact((tx) => attempt.complete(tx)));
  const task = await queueTask(bobThere, directory);
  await waitForStatus(bobThere, task, 'COMPLETED');
  for (const person of [annThere, bobThere, vicThere]) {
    assert.equal((await getTask(person, task)).userId, bob.id);
    assert.deepEqual(
      (await listTasks(person)).items.map(({ id }) => id),
      [task.id],
    );
  }
  assert.equal((await listTasks(bob)).total, 0);
  await bob.refused(404, 2404, 'GET', `${TASKS}/${task.id}`);
});

test('every editor ends a task of another one, a viewer does not', async () => {
  job.does(untilAborted);
  const running = job.next();
  const task = await queueTask(bobThere, directory);
  const { signal } = await running;
  await vicThere.refused(403, 2403, 'DELETE', `${TASKS}/${task.id}`);
  assert.equal(signal.aborted, false);
  assert.equal((await cancelTask(annThere, task)).status, 'CANCELLED');
  assert.equal((await getTask(bobThere, task)).status, 'CANCELLED');
});

test('a retry runs the task on behalf of the editor who retries it', async () => {
  job.does(async () => {
    throw new Error('This attempt fails.');
  });
  const task = await queueTask(bobThere, directory);
  await failFor(task);
  await vicThere.refused(403, 2403, 'POST', `${TASKS}/${task.id}/retry`);
  job.does((attempt) => database.transact((tx) => attempt.complete(tx)));
  const attempt = job.next();
  assert.equal((await retryTask(annThere, task)).userId, ann.id);
  assert.equal((await attempt).accountId, ann.id);
  await waitForStatus(annThere, task, 'COMPLETED');
});

/** Ends the task as if it had failed. */
async function failFor({ id }: { readonly id: number }): Promise<void> {
  await waitForStatus(bobThere, { id }, 'QUEUED');
  await database.transact((tx) =>
    tx
      .updateTable('task')
      .set({ status: 'FAILED', finished_at: holdall.clock.now() })
      .where('id', '=', id)
      .execute(),
  );
}
