// tier: default
// runs on: postgres
// runs on, with --full: sqlite
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFull } from '../../../tools/testing/tiers.ts';
import type { TaskRecord } from '../../src/tasks/contract.ts';
import { JobFailure } from '../../src/tasks/engine/job.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import {
  cancelTask,
  getTask,
  listTasks,
  queueTask,
  ScriptedJob,
  TASKS,
  waitFor,
  waitForStatus,
} from '../support/tasks/tasks.ts';

const job = new ScriptedJob();
const options = { jobs: [job], env: { HOLDALL_WORKER_CONCURRENCY: '4' } };
const holdall = await startHoldall(options);
const instances = [holdall, ...(isPostgres ? [await startHoldall({ ...options, beside: holdall })] : [])];
const { database } = holdall.app;
const alice = await holdall.register('alice');
const directory = await alice.mkdir('/a');
const doors = atEveryInstance(
  alice,
  instances.map(({ url }) => url),
);

const hasEnded = ({ status }: TaskRecord) => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(status);

describe('50 tasks queued at the same moment', () => {
  it('run once each, on any instance', async () => {
    job.does((attempt) => database.transact((tx) => attempt.complete(tx)));
    const queued = await race(doors, 50, (person) => queueTask(person, directory));
    for (const task of queued) await waitForStatus(alice, task, 'COMPLETED');
    const ran = job.attempts.map(({ taskId }) => taskId).toSorted((a, b) => a - b);
    assert.deepEqual(
      ran,
      queued.map(({ id }) => id).toSorted((a, b) => a - b),
    );
  });
});

describe('a task that is cancelled while it completes', () => {
  it('ends as cancelled or completed, and the changes of the job match its status', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < (isFull ? 30 : 10); round += 1) {
      const setting = `raced-${round}`;
      const ready = Promise.withResolvers<void>();
      const go = Promise.withResolvers<void>();
      job.does(async (attempt) => {
        ready.resolve();
        await go.promise;
        await database.transact(async (tx) => {
          await tx.insertInto('setting').values({ name: setting, value: '', updated_at: 0 }).execute();
          await attempt.complete(tx);
        });
      });
      const task = await queueTask(alice, directory);
      await ready.promise;
      go.resolve();
      const answers = await race(doors, 4, (person) => cancelTask(person, task));
      const ended = await waitFor(() => getTask(alice, task), hasEnded);
      for (const { status } of answers) assert.equal(status, ended.status);
      const happened = await database.db
        .selectFrom('setting')
        .select('name')
        .where('name', '=', setting)
        .executeTakeFirst();
      assert.equal(happened !== undefined, ended.status === 'COMPLETED');
      seen.add(ended.status);
    }
    for (const status of seen) assert.ok(['COMPLETED', 'CANCELLED'].includes(status));
  });
});

describe('a failed task', () => {
  it('is queued once and runs once when 20 requests retry it at the same time', async () => {
    job.does(async () => {
      throw new JobFailure('DATA_STATE', 'no');
    });
    const task = await queueTask(alice, directory);
    await waitForStatus(alice, task, 'FAILED');
    const gate = Promise.withResolvers<void>();
    job.does(async (attempt) => {
      await gate.promise;
      await database.transact((tx) => attempt.complete(tx));
    });
    const before = job.attempts.length;
    const answers = await race(doors, 20, (person) => person.call('POST', `${TASKS}/${task.id}/retry`));
    assert.deepEqual(countStatuses(answers), { 200: 1, 400: 19 });
    gate.resolve();
    const completed = await waitForStatus(alice, task, 'COMPLETED');
    assert.equal(completed.publicStateJson.attemptCount, 1);
    assert.equal(job.attempts.length, before + 1);
  });
});

describe('30 concurrent requests with the same correlation id', () => {
  it('create one task', async () => {
    job.does((attempt) => database.transact((tx) => attempt.complete(tx)));
    const { total } = await listTasks(alice);
    const before = job.attempts.length;
    const tasks = await race(doors, 30, (person) =>
      queueTask(person, directory, { correlationId: 'the one' }),
    );
    assert.equal(new Set(tasks.map(({ id }) => id)).size, 1);
    assert.equal((await listTasks(alice)).total, total + 1);
    await waitForStatus(alice, tasks[0] as TaskRecord, 'COMPLETED');
    assert.equal(job.attempts.length, before + 1);
  });
});
