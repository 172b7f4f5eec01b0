// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { MINUTE } from '../../src/base/clock.ts';
import { Failure } from '../../src/base/failure.ts';
import type { Attempt, FailureCategory } from '../../src/tasks/engine/job.ts';
import { JobFailure } from '../../src/tasks/engine/job.ts';
import { startHoldall } from '../support/app/holdall.ts';
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

const job = new ScriptedJob();
const log: string[] = [];
const logger = pino({ level: 'error' }, { write: (line: string) => void log.push(line) });
const holdall = await startHoldall({ jobs: [job], logger });
const { database } = holdall.app;
const alice = await holdall.register('alice');
const file = await alice.upload('/a.txt', 'abc');
const input = {
  fileId: file.id,
  path: '/a.txt',
  filename: 'a.txt',
  directory: false,
  contentType: 'text/plain',
  size: 3,
};

const complete = (attempt: Attempt, members = {}) => database.transact((tx) => attempt.complete(tx, members));

afterEach(() => job.does(complete));

/** Advances the clock to the time when the task is due, and makes the runner look for due tasks. */
async function advanceTo(instant: unknown): Promise<void> {
  holdall.clock.advance(Math.max(0, Date.parse(String(instant)) - holdall.clock.now()) + 1);
  await holdall.app.tasks.runner.recover();
}

describe('a task', () => {
  it('is queued, runs and completes, and its record shows every stage', async () => {
    const gate = Promise.withResolvers<void>();
    job.does(async (attempt) => {
      attempt.report({ processedFileCount: 1, totalFileCount: 2 });
      await gate.promise;
      await complete(attempt, { processedFileCount: 2 });
    });
    const queued = await queueTask(alice, file);
    const { id, createdAt, updatedAt, ...rest } = queued;
    assert.deepEqual(rest, {
      userId: alice.id,
      type: 'ARCHIVE',
      status: 'QUEUED',
      correlationId: null,
      errorMessage: null,
      failureCategory: null,
      publicStateJson: { ...input, phase: 'queued', attemptCount: 0, maxAttempts: 4 },
      finishedAt: null,
    });
    assert.equal(updatedAt, createdAt);

    const running = await waitFor(
      () => getTask(alice, { id }),
      ({ publicStateJson: state }) => state.processedFileCount === 1,
      'the first report',
    );
    assert.equal(running.status, 'RUNNING');
    const { workerOwner, heartbeatAt, leaseExpiresAt, startedAt, ...state } = running.publicStateJson;
    assert.deepEqual(state, {
      ...input,
      processedFileCount: 1,
      totalFileCount: 2,
      phase: 'archiving',
      attemptCount: 1,
      maxAttempts: 4,
    });
    assert.ok(typeof workerOwner === 'string' && workerOwner.length > 0);
    const lease = Date.parse(String(leaseExpiresAt)) - Date.parse(String(heartbeatAt));
    assert.equal(lease, 2 * MINUTE);
    assert.ok(Date.parse(String(startedAt)) <= Date.parse(String(heartbeatAt)));

    gate.resolve();
    const completed = await waitForStatus(alice, { id }, 'COMPLETED');
    assert.ok(completed.finishedAt !== null);
    assert.deepEqual(completed.publicStateJson, {
      ...input,
      processedFileCount: 2,
      totalFileCount: 2,
      phase: 'completed',
      attemptCount: 1,
      maxAttempts: 4,
    });
  });

  it('fails if its job ends without completing it', async () => {
    job.does(async () => {});
    const task = await queueTask(alice, file);
    const waiting = await waitFor(
      () => getTask(alice, task),
      ({ failureCategory }) => failureCategory !== null,
    );
    assert.deepEqual([waiting.status, waiting.failureCategory], ['QUEUED', 'UNKNOWN']);
    await cancelTask(alice, task);
  });

  it('fails if its commit is rejected, and leaves no changes', async () => {
    job.does(async (attempt) => {
      await database.transact(async (tx) => {
        await attempt.complete(tx);
        throw new Failure('conflict', 'There is already something named "x" here.');
      });
    });
    const task = await queueTask(alice, file);
    const failed = await waitForStatus(alice, task, 'FAILED');
    assert.equal(failed.failureCategory, 'DATA_STATE');
    assert.match(failed.errorMessage ?? '', /named "x"/);
  });
});

describe('a task that fails', () => {
  const failAs = (category: FailureCategory) =>
    job.does(async (attempt) => {
      attempt.report({ processedFileCount: 1 });
      throw new JobFailure(category, 'The store is away.');
    });

  it('is retried as often and with the delays that its type defines, then ends as FAILED', async () => {
    failAs('TRANSIENT_INFRASTRUCTURE');
    const task = await queueTask(alice, file);
    for (const [attemptCount, retryDelaySeconds] of [
      [1, 30],
      [2, 60],
      [3, 120],
    ] as const) {
      const { publicStateJson: state, ...waiting } = await waitFor(
        () => getTask(alice, task),
        ({ publicStateJson }) =>
          publicStateJson.retryScheduled === true && publicStateJson.attemptCount === attemptCount,
        `the retry ${attemptCount}`,
      );
      assert.deepEqual([waiting.status, waiting.failureCategory], ['QUEUED', 'TRANSIENT_INFRASTRUCTURE']);
      assert.deepEqual([waiting.errorMessage, waiting.finishedAt], [null, null]);
      const { nextRetryAt, lastFailureAt, ...others } = state;
      assert.deepEqual(others, {
        ...input,
        phase: 'queued',
        attemptCount,
        maxAttempts: 4,
        retryScheduled: true,
        retryDelaySeconds,
        lastFailureMessage: 'The store is away.',
      });
      const delay = Date.parse(String(nextRetryAt)) - Date.parse(String(lastFailureAt));
      assert.equal(delay, retryDelaySeconds * 1_000);
      const runs = job.attempts.length;
      await holdall.app.tasks.runner.recover();
      assert.equal(job.attempts.length, runs, 'it did not wait');
      await advanceTo(nextRetryAt);
    }
    const failed = await waitForStatus(alice, task, 'FAILED');
    assert.equal(failed.errorMessage, 'The store is away.');
    assert.equal(failed.failureCategory, 'TRANSIENT_INFRASTRUCTURE');
    assert.ok(failed.finishedAt);
    assert.deepEqual(failed.publicStateJson, {
      ...input,
      processedFileCount: 1,
      phase: 'failed',
      attemptCount: 4,
      maxAttempts: 4,
    });

    job.does(untilAborted);
    const again = await retryTask(alice, task);
    assert.equal(again.status, 'QUEUED');
    assert.deepEqual([again.finishedAt, again.errorMessage, again.failureCategory], [null, null, null]);
    assert.deepEqual(again.publicStateJson, { ...input, phase: 'queued', attemptCount: 0, maxAttempts: 4 });
    await waitForStatus(alice, task, 'RUNNING');
    assert.equal((await cancelTask(alice, task)).status, 'CANCELLED');
  });

  for (const category of ['UNSUPPORTED_INPUT', 'DATA_STATE'] as const) {
    it(`because of ${category} is not retried`, async () => {
      failAs(category);
      const failed = await waitForStatus(alice, await queueTask(alice, file), 'FAILED');
      assert.deepEqual([failed.failureCategory, failed.publicStateJson.attemptCount], [category, 1]);
    });
  }

  it('for an unknown reason is retried once, and only the log contains the reason', async () => {
    job.does(async () => {
      throw new Error('a bug with a secret in it');
    });
    const task = await queueTask(alice, file);
    const waiting = await waitFor(
      () => getTask(alice, task),
      ({ publicStateJson }) => publicStateJson.retryScheduled === true,
    );
    assert.equal(waiting.publicStateJson.retryDelaySeconds, 60);
    await advanceTo(waiting.publicStateJson.nextRetryAt);
    const failed = await waitForStatus(alice, task, 'FAILED');
    assert.deepEqual([failed.failureCategory, failed.publicStateJson.attemptCount], ['UNKNOWN', 2]);
    assert.doesNotMatch(JSON.stringify([waiting, failed]), /secret/);
    assert.equal(log.filter((line) => line.includes('a bug with a secret in it')).length, 2);

    await retryTask(alice, task);
    const again = await waitFor(
      () => getTask(alice, task),
      ({ publicStateJson }) => publicStateJson.retryScheduled === true,
      'a retry as of a new task',
    );
    assert.equal(again.publicStateJson.attemptCount, 1);
    await cancelTask(alice, task);
  });

  it('and then succeeds no longer shows the failure', async () => {
    failAs('RATE_LIMITED');
    const task = await queueTask(alice, file);
    const waiting = await waitFor(
      () => getTask(alice, task),
      ({ publicStateJson }) => publicStateJson.retryScheduled === true,
    );
    assert.equal(waiting.publicStateJson.retryDelaySeconds, 120);
    job.does(complete);
    await advanceTo(waiting.publicStateJson.nextRetryAt);
    const completed = await waitForStatus(alice, task, 'COMPLETED');
    assert.equal(completed.failureCategory, null);
    assert.deepEqual(completed.publicStateJson, {
      ...input,
      phase: 'completed',
      attemptCount: 2,
      maxAttempts: 4,
    });
  });
});

describe('a task that is cancelled', () => {
  it('while it is queued never runs', async () => {
    job.does(async () => {
      throw new JobFailure('RATE_LIMITED', 'later');
    });
    const task = await queueTask(alice, file);
    const waiting = await waitFor(
      () => getTask(alice, task),
      ({ publicStateJson }) => publicStateJson.retryScheduled === true,
    );
    const cancelled = await cancelTask(alice, task);
    assert.equal(cancelled.status, 'CANCELLED');
    assert.ok(cancelled.finishedAt);
    const members = { ...input, phase: 'cancelled', attemptCount: 1, maxAttempts: 4 };
    assert.deepEqual(cancelled.publicStateJson, members);
    const runs = job.attempts.length;
    await advanceTo(waiting.publicStateJson.nextRetryAt);
    await waitForStatus(alice, await queueAnother(), 'COMPLETED');
    assert.equal(job.attempts.length, runs + 1);
    assert.deepEqual(await getTask(alice, task), cancelled);
  });

  it('while it runs gets the abort signal and can commit nothing more', async () => {
    const gate = Promise.withResolvers<void>();
    job.does(async (attempt) => {
      await untilAborted(attempt);
      await gate.promise;
    });
    const beginning = job.next();
    const task = await queueTask(alice, file);
    const attempt = await beginning;
    const cancelled = await cancelTask(alice, task);
    assert.equal(cancelled.publicStateJson.phase, 'cancelled');
    assert.ok(!('workerOwner' in cancelled.publicStateJson));
    await untilAborted(attempt);
    const isLost = { name: 'Failure', kind: 'rejected' };
    await assert.rejects(
      database.transact((tx) => attempt.lock(tx)),
      isLost,
    );
    await assert.rejects(complete(attempt), isLost);
    gate.resolve();
    assert.deepEqual(await cancelTask(alice, task), cancelled);
    assert.deepEqual(await getTask(alice, task), cancelled);
  });

  async function queueAnother() {
    job.does(complete);
    return await queueTask(alice, file);
  }
});

describe('the progress that a job reports', () => {
  it('is written in batches, and completely at the end', async () => {
    job.does(async (attempt) => {
      for (let count = 1; count <= 1_000; count += 1) attempt.report({ processedFileCount: count });
      await complete(attempt);
    });
    const completed = await waitForStatus(alice, await queueTask(alice, file), 'COMPLETED');
    assert.equal(completed.publicStateJson.processedFileCount, 1_000);
  });

  it('inside a transaction is written outside of it', async () => {
    const gate = Promise.withResolvers<void>();
    job.does(async (attempt) => {
      await database
        .transact(async (tx) => {
          await tx.selectFrom('entry').select('id').limit(1).execute();
          attempt.report({ processedFileCount: 5 });
          throw new Error('nothing of this stays');
        })
        .catch(() => undefined);
      await gate.promise;
      await complete(attempt);
    });
    const task = await queueTask(alice, file);
    await waitFor(
      () => getTask(alice, task),
      ({ publicStateJson }) => publicStateJson.processedFileCount === 5,
    );
    gate.resolve();
    await waitForStatus(alice, task, 'COMPLETED');
  });
});
