// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { DAY, MINUTE } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { newObjectKey } from '../../src/blobs/object-key.ts';
import type { Attempt } from '../../src/tasks/engine/job.ts';
import { type Holdall, startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { ServiceProcess } from '../support/app/service-process.ts';
import { atEveryInstance } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { send } from '../support/storage/byte-sources.ts';
import {
  getTask,
  queueTask,
  ScriptedJob,
  untilAborted,
  waitFor,
  waitForStatus,
} from '../support/tasks/tasks.ts';

const isLost = { name: 'Failure', kind: 'rejected' };

function completing(holdall: () => Holdall) {
  return (attempt: Attempt) => holdall().app.database.transact((tx) => attempt.complete(tx));
}

function at(holdall: Holdall, person: Person): Person {
  return atEveryInstance(person, [holdall.url])[0] as Person;
}

/**
 * Waits until the only report of an attempt has been written. From then on only the timer renews its lease.
 */
function waitForFirstReport(person: Person, task: { id: number }, attemptCount = 1) {
  return waitFor(
    () => getTask(person, task),
    ({ publicStateJson: state }) => state.phase === 'archiving' && state.attemptCount === attemptCount,
    `a report of attempt ${attemptCount}`,
  );
}

describe('a worker whose lease was taken over', () => {
  it('commits nothing more, and the other worker completes the task', async () => {
    const job = new ScriptedJob();
    job.does((attempt) => untilAborted(attempt));
    const holdall = await startHoldall({ jobs: [job] });
    const { database } = holdall.app;
    const alice = await holdall.register('alice');
    const task = await queueTask(alice, await alice.mkdir('/a'));
    await waitForFirstReport(alice, task);
    const [first] = job.attempts;
    assert.ok(first);
    await database.transact((tx) => first.lock(tx));

    const mayComplete = Promise.withResolvers<void>();
    job.does(async (attempt) => {
      await mayComplete.promise;
      await completing(() => holdall)(attempt);
    });
    holdall.clock.advance(3 * MINUTE);
    await holdall.app.tasks.runner.recover();
    await waitFor(
      () => job.attempts,
      ({ length }) => length === 2,
      'the second attempt',
    );
    const running = await getTask(alice, task);
    assert.deepEqual([running.status, running.publicStateJson.attemptCount], ['RUNNING', 2]);
    await assert.rejects(
      database.transact((tx) => first.lock(tx)),
      isLost,
    );
    await assert.rejects(
      database.transact((tx) => first.complete(tx)),
      isLost,
    );
    // The next report finds out that the task is lost.
    first.report({ processedFileCount: 99 });
    await untilAborted(first);
    assert.equal((await getTask(alice, task)).status, 'RUNNING');
    mayComplete.resolve();
    const completed = await waitForStatus(alice, task, 'COMPLETED');
    assert.ok(!('processedFileCount' in completed.publicStateJson));
  });

  it('uses up one attempt, and the last attempt ends the task as FAILED', async () => {
    const job = new ScriptedJob();
    job.does((attempt) => untilAborted(attempt));
    const holdall = await startHoldall({ jobs: [job], env: { HOLDALL_WORKER_CONCURRENCY: '8' } });
    const alice = await holdall.register('alice');
    const task = await queueTask(alice, await alice.mkdir('/a'));
    for (let count = 1; count <= 4; count += 1) {
      await waitForFirstReport(alice, task, count);
      holdall.clock.advance(3 * MINUTE);
      await holdall.app.tasks.runner.recover();
    }
    const failed = await waitForStatus(alice, task, 'FAILED');
    assert.deepEqual(
      [failed.failureCategory, failed.errorMessage, failed.publicStateJson.attemptCount],
      ['TRANSIENT_INFRASTRUCTURE', 'The worker stopped before the task was completed.', 4],
    );
  });

  it('does not end a task before its third attempt, even if its type allows fewer attempts', async () => {
    const job = new ScriptedJob();
    job.does((attempt) => untilAborted(attempt));
    const holdall = await startHoldall({ jobs: [job], env: { HOLDALL_WORKER_CONCURRENCY: '8' } });
    const { database } = holdall.app;
    const alice = await holdall.register('alice');
    const task = await queueTask(alice, await alice.mkdir('/a'));
    await waitForFirstReport(alice, task);
    await database.transact((tx) => tx.updateTable('task').set({ max_attempts: 1 }).execute());
    for (let count = 1; count <= 3; count += 1) {
      await waitForFirstReport(alice, task, count);
      holdall.clock.advance(3 * MINUTE);
      await holdall.app.tasks.runner.recover();
    }
    const failed = await waitForStatus(alice, task, 'FAILED');
    assert.equal(failed.publicStateJson.attemptCount, 3);
  });
});

describe('a lease', () => {
  it('is renewed by a timer, whatever the job does', inFull, async () => {
    const job = new ScriptedJob();
    job.does((attempt) => untilAborted(attempt));
    const holdall = await startHoldall({ jobs: [job], env: { HOLDALL_TASK_LEASE: '4s' } });
    const alice = await holdall.register('alice');
    const task = await queueTask(alice, await alice.mkdir('/a'));
    const { publicStateJson: before } = await waitForFirstReport(alice, task);
    const { publicStateJson: later } = await waitFor(
      () => getTask(alice, task),
      ({ publicStateJson }) => publicStateJson.heartbeatAt !== before.heartbeatAt,
      'a heartbeat',
    );
    assert.ok(String(later.leaseExpiresAt) > String(before.leaseExpiresAt));
  });

  it('that has not expired is respected', async () => {
    const job = new ScriptedJob();
    job.does((attempt) => untilAborted(attempt));
    const holdall = await startHoldall({ jobs: [job] });
    const alice = await holdall.register('alice');
    const task = await queueTask(alice, await alice.mkdir('/a'));
    await waitForFirstReport(alice, task);
    holdall.clock.advance(MINUTE);
    await holdall.app.tasks.runner.recover();
    const { status, publicStateJson } = await getTask(alice, task);
    assert.deepEqual([status, publicStateJson.attemptCount], ['RUNNING', 1]);
  });
});

describe('an instance that is killed during a task', () => {
  it('is replaced by another, which takes the task over', inFull, async () => {
    const first = await startHoldall();
    const alice = await first.register('alice');
    const directory = await alice.mkdir('/a');
    await first.app.close();
    const env = { HOLDALL_TASK_LEASE: '6s' };
    const child = await ServiceProcess.start(
      {
        ...env,
        ...first.storage.env,
        HOLDALL_DATA_DIR: first.dataDir,
        ...(first.databaseUrl === undefined ? {} : { HOLDALL_DATABASE_URL: first.databaseUrl }),
      },
      'tasks/hanging-task-child.ts',
    );
    const aliceAtChild = atEveryInstance(alice, [child.url])[0] as Person;
    const task = await queueTask(aliceAtChild, directory);
    await waitFor(
      () => getTask(aliceAtChild, task),
      ({ publicStateJson }) => publicStateJson.processedFileCount === 1,
    );
    await child.kill();

    const job = new ScriptedJob();
    const second: Holdall = await startHoldall({ beside: first, jobs: [job], env });
    job.does(completing(() => second));
    const { publicStateJson } = await waitForStatus(at(second, alice), task, 'COMPLETED');
    assert.equal(publicStateJson.attemptCount, 2);
  });
});

describe('an instance that stops', () => {
  it('requeues its tasks at once without using up an attempt', async () => {
    const job = new ScriptedJob();
    const gate = Promise.withResolvers<void>();
    // The job ignores the signal at first, and then tries to commit.
    const outcome = Promise.withResolvers<unknown>();
    job.does(async (attempt) => {
      await gate.promise;
      const { database } = first.app;
      outcome.resolve(await database.transact((tx) => attempt.complete(tx)).catch((error) => error));
    });
    const first: Holdall = await startHoldall({ jobs: [job] });
    const alice = await first.register('alice');
    const task = await queueTask(alice, await alice.mkdir('/a'));
    await waitForStatus(alice, task, 'RUNNING');
    const stopping = first.app.tasks.runner.stop();
    await waitFor(
      () =>
        first.app.database.db
          .selectFrom('task')
          .select(['status', 'attempt_count', 'worker'])
          .executeTakeFirst(),
      (row) => row?.status === 'QUEUED' && row.attempt_count === 0 && row.worker === null,
      'the requeued task',
    );
    gate.resolve();
    assert.match(String(await outcome.promise), /Failure/);
    await stopping;
    await first.app.close();

    const after = new ScriptedJob();
    const second: Holdall = await startHoldall({ beside: first, jobs: [after] });
    after.does(completing(() => second));
    const completed = await waitForStatus(at(second, alice), task, 'COMPLETED');
    assert.equal(completed.publicStateJson.attemptCount, 1);
  });

  if (isPostgres) {
    it('lets a running instance take over its tasks', async () => {
      const [firstJob, secondJob] = [new ScriptedJob(), new ScriptedJob()];
      firstJob.does((attempt) => untilAborted(attempt));
      const first = await startHoldall({ jobs: [firstJob] });
      const alice = await first.register('alice');
      const task = await queueTask(alice, await alice.mkdir('/a'));
      await waitForStatus(alice, task, 'RUNNING');
      const second: Holdall = await startHoldall({ beside: first, jobs: [secondJob] });
      secondJob.does(completing(() => second));
      await first.app.close();
      await waitForStatus(at(second, alice), task, 'COMPLETED');
      assert.equal(secondJob.attempts.length, 1);
    });
  }
});

describe('an instance without workers', () => {
  it('accepts tasks but runs none', async () => {
    const job = new ScriptedJob();
    const idle = await startHoldall({ jobs: [job], env: { HOLDALL_WORKER_CONCURRENCY: '0' } });
    const alice = await idle.register('alice');
    const task = await queueTask(alice, await alice.mkdir('/a'));
    await idle.app.tasks.runner.recover();
    assert.equal((await getTask(alice, task)).status, 'QUEUED');
    await idle.app.close();
    const busy: Holdall = await startHoldall({ beside: idle, jobs: [job] });
    job.does(completing(() => busy));
    await waitForStatus(at(busy, alice), task, 'COMPLETED');
    assert.equal(job.attempts.length, 1);
  });
});

describe('an account with a long queue', () => {
  it('does not delay the tasks of others', async () => {
    const job = new ScriptedJob();
    const gate = Promise.withResolvers<void>();
    const holdall: Holdall = await startHoldall({ jobs: [job], env: { HOLDALL_WORKER_CONCURRENCY: '1' } });
    const [alice, bob, carol] = [
      await holdall.register('alice'),
      await holdall.register('bob'),
      await holdall.register('carol'),
    ];
    job.does(async (attempt) => {
      await gate.promise;
      // Owners take turns by start time, so start times must differ by at least a millisecond.
      holdall.clock.advance(1);
      await completing(() => holdall)(attempt);
    });
    const alicesDirectory = await alice.mkdir('/a');
    for (let count = 0; count < 20; count += 1) await queueTask(alice, alicesDirectory);
    await waitFor(
      () => job.attempts,
      ({ length }) => length === 1,
    );
    for (const person of [bob, carol]) {
      const directory = await person.mkdir('/b');
      for (let count = 0; count < 3; count += 1) await queueTask(person, directory);
    }
    gate.resolve();
    await waitFor(
      () => job.attempts,
      ({ length }) => length === 26,
      'the last one',
    );
    const order = job.attempts.map(({ accountId }) =>
      accountId === alice.id ? 'a' : accountId === bob.id ? 'b' : 'c',
    );
    assert.equal(order.join(''), `${'abc'.repeat(3)}${'a'.repeat(17)}`);
    const own = job.attempts.filter(({ accountId }) => accountId === alice.id).map(({ taskId }) => taskId);
    assert.deepEqual(
      own,
      own.toSorted((a, b) => a - b),
    );
  });
});

describe('an object stored by a running attempt', () => {
  it('is kept while the attempt runs, however long, and removed after it has failed', async () => {
    const job = new ScriptedJob();
    const gate = Promise.withResolvers<void>();
    job.does(async () => {
      await gate.promise;
      throw new Error('on purpose');
    });
    const holdall = await startHoldall({ jobs: [job] });
    const { store } = holdall.app;
    const alice = await holdall.register('alice');
    const newKey = () => newObjectKey(systemIds, holdall.clock.now());
    const before = newKey();
    await store.write(before, send(Buffer.from('of an attempt that died')));
    holdall.clock.advance(5 * MINUTE);
    const task = await queueTask(alice, await alice.mkdir('/a'));
    await waitForStatus(alice, task, 'RUNNING');
    const within = newKey();
    await store.write(within, send(Buffer.from('of the one that runs')));
    holdall.clock.advance(3 * DAY);
    await holdall.app.cleanUp();
    assert.equal(await store.find(before), undefined);
    assert.ok(await store.find(within));
    gate.resolve();
    await alice.logIn();
    await waitFor(
      () => getTask(alice, task),
      ({ publicStateJson }) => publicStateJson.retryScheduled === true,
    );
    await holdall.app.cleanUp();
    assert.equal(await store.find(within), undefined);
  });
});
