// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { AdminTask } from '../../src/admin/tasks/contract.ts';
import { MINUTE } from '../../src/base/clock.ts';
import type { Attempt } from '../../src/tasks/engine/job.ts';
import { JobFailure } from '../../src/tasks/engine/job.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import {
  cancelTask,
  queueTask,
  ScriptedJob,
  untilAborted,
  waitFor,
  waitForStatus,
} from '../support/tasks/tasks.ts';

const job = new ScriptedJob();
const holdall = await startHoldall({ jobs: [job], env: { HOLDALL_ACCESS_TOKEN_TTL: '10d' } });
const { database } = holdall.app;
const admin = await holdall.admin();
const view = asAdmin(admin);
const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
const [annsFile, bobsFile] = [await ann.upload('/a.txt', 'abc'), await bob.upload('/b.txt', 'abc')];

const complete = (attempt: Attempt) => database.transact((tx) => attempt.complete(tx));
const getAdminTask = ({ id }: { id: number }) => admin.ask<AdminTask>('GET', `/api/admin/tasks/${id}`);
const idsOf = async (filter: Record<string, string | number> = {}) => {
  const { items, total } = await view.tasks({ size: 1_000, ...filter });
  assert.equal(items.length, total);
  return items.map(({ id }) => id);
};

afterEach(() => job.does(complete));
job.does(complete);

describe('a task, as an administrator sees it', () => {
  test('is the record that its owner sees, plus drive, owner and worker', async () => {
    const task = await queueTask(ann, annsFile, { correlationId: 'mine' });
    const own = await waitForStatus(ann, task, 'COMPLETED');
    const expected = {
      ...own,
      driveId: ann.driveId,
      driveName: null,
      ownerId: ann.id,
      ownerUsername: ann.username,
      ownerEmail: `${ann.username}@example.org`,
      attemptCount: 1,
      maxAttempts: 4,
      retryScheduled: false,
      workerOwner: null,
      leaseState: 'NONE',
    };
    assert.deepEqual(await getAdminTask(task), expected);
    const [listed] = (await view.tasks({ userQuery: ann.username })).items;
    assert.deepEqual(listed, expected);
  });

  test('has a lease while it runs, which expires when its worker is lost', async () => {
    job.does(untilAborted);
    const task = await queueTask(ann, annsFile);
    // Reporting the phase renews the lease; after that only a timer does.
    const running = await waitFor(
      () => getAdminTask(task),
      ({ publicStateJson }) => publicStateJson.phase === 'archiving',
    );
    assert.deepEqual([running.status, running.leaseState, running.attemptCount], ['RUNNING', 'ACTIVE', 1]);
    assert.ok(running.workerOwner);
    assert.equal(running.workerOwner, running.publicStateJson.workerOwner);
    assert.deepEqual(await idsOf({ leaseState: 'ACTIVE' }), [task.id]);
    assert.deepEqual(await idsOf({ leaseState: 'EXPIRED' }), []);
    assert.ok(!(await idsOf({ leaseState: 'NONE' })).includes(task.id));

    holdall.clock.advance(2 * MINUTE);
    assert.equal((await getAdminTask(task)).leaseState, 'EXPIRED');
    assert.deepEqual(await idsOf({ leaseState: 'EXPIRED', status: 'RUNNING', type: 'ARCHIVE' }), [task.id]);
    assert.deepEqual(await idsOf({ leaseState: 'ACTIVE' }), []);
    assert.deepEqual(await idsOf({ leaseState: 'EXPIRED', status: 'QUEUED' }), []);

    await cancelTask(ann, task);
    const cancelled = await getAdminTask(task);
    assert.deepEqual([cancelled.leaseState, cancelled.workerOwner], ['NONE', null]);
    assert.deepEqual(await idsOf({ leaseState: 'EXPIRED' }), []);
    assert.ok((await idsOf({ leaseState: 'NONE' })).includes(task.id));
  });

  test('shows that it waits for a retry', async () => {
    job.does(() => Promise.reject(new JobFailure('RATE_LIMITED', 'Too many at once.')));
    const task = await queueTask(bob, bobsFile);
    const waiting = await waitFor(
      () => getAdminTask(task),
      ({ retryScheduled }) => retryScheduled,
    );
    assert.deepEqual(
      [waiting.status, waiting.failureCategory, waiting.attemptCount, waiting.leaseState],
      ['QUEUED', 'RATE_LIMITED', 1, 'NONE'],
    );
    assert.deepEqual(await idsOf({ failureCategory: 'RATE_LIMITED' }), [task.id]);
    await cancelTask(bob, task);
    assert.equal((await getAdminTask(task)).retryScheduled, false);
  });

  test('is 404 if it does not exist', async () => {
    await admin.refused(404, 1003, 'GET', '/api/admin/tasks/999999999');
    await admin.refused(400, 1000, 'GET', '/api/admin/tasks/x');
    await ann.refused(403, 1002, 'GET', `/api/admin/tasks/1`);
  });
});

describe('the list of all tasks', () => {
  test('is filtered by owner, type, status, failure category and lease, separately or combined', async () => {
    job.does(() => Promise.reject(new JobFailure('DATA_STATE', 'There is one already.')));
    const failed = await queueTask(bob, bobsFile);
    await waitForStatus(bob, failed, 'FAILED');
    job.does(complete);
    const done = await queueTask(bob, bobsFile);
    await waitForStatus(bob, done, 'COMPLETED');
    const picture = await ann.upload('/picture.png', 'no picture', 'image/png');
    const [media] = await waitFor(
      () => idsOf({ type: 'MEDIA_META', userQuery: ann.username }),
      ({ length }) => length > 0,
      `the task for ${picture.filename}`,
    );
    assert.ok(media);
    await waitFor(
      () => getAdminTask({ id: media }),
      ({ finishedAt }) => finishedAt !== null,
    );

    const all = await idsOf();
    const everybodys = (await view.tasks({ size: 1_000 })).items;
    for (const [filter, isMeant] of [
      [{ type: 'ARCHIVE' }, (task) => task.type === 'ARCHIVE'],
      [{ type: 'EXTRACT' }, () => false],
      [{ type: 'MEDIA_META' }, ({ id }) => id === media],
      [{ status: 'COMPLETED' }, (task) => task.status === 'COMPLETED'],
      [{ status: 'CANCELLED' }, (task) => task.status === 'CANCELLED'],
      [{ status: 'QUEUED' }, () => false],
      [{ status: 'RUNNING' }, () => false],
      [{ failureCategory: 'DATA_STATE' }, (task) => task.failureCategory === 'DATA_STATE'],
      [{ failureCategory: 'UNKNOWN' }, () => false],
      [{ leaseState: 'NONE' }, () => true],
      [{ userQuery: bob.username.toUpperCase() }, ({ userId }) => userId === bob.id],
      [{ userQuery: `${bob.username}@example` }, ({ userId }) => userId === bob.id],
      [{ userQuery: '%' }, () => false],
      [{ userQuery: '' }, () => true],
      [
        {
          userQuery: 'bob',
          type: 'ARCHIVE',
          status: 'FAILED',
          failureCategory: 'DATA_STATE',
          leaseState: 'NONE',
        },
        ({ id }) => id === failed.id,
      ],
      [
        { userQuery: 'bob', type: 'ARCHIVE', status: 'COMPLETED', leaseState: 'NONE' },
        ({ id }) => id === done.id,
      ],
      [{ userQuery: 'bob', type: 'MEDIA_META' }, () => false],
    ] as readonly [Record<string, string>, (task: AdminTask) => boolean][]) {
      const expected = everybodys.filter(isMeant).map(({ id }) => id);
      assert.deepEqual(await idsOf(filter), expected, JSON.stringify(filter));
    }
    assert.deepEqual(
      all,
      all.toSorted((a, b) => b - a),
    );
    assert.ok((await idsOf({ failureCategory: 'DATA_STATE' })).includes(failed.id));
  });

  test('rejects unknown types, statuses, categories and lease states', async () => {
    for (const query of [
      'type=UPLOAD',
      'status=DONE',
      'status=completed',
      'failureCategory=OTHER',
      'leaseState=LOST',
      'type=',
      'userQuery=%00',
      'size=0',
      'page=-1',
    ]) {
      await admin.refused(400, 1000, 'GET', `/api/admin/tasks?${query}`);
    }
  });

  test('is paged, with the exact total', async () => {
    for (const filter of [{}, { type: 'ARCHIVE' }, { userQuery: 'bob' }]) {
      const all = await idsOf(filter);
      const walked: number[] = [];
      for (let page = 0; page < all.length; page += 1) {
        const { items, total } = await view.tasks({ ...filter, page, size: 1 });
        assert.equal(total, all.length);
        walked.push(...items.map(({ id }) => id));
      }
      assert.ok(all.length > 1);
      assert.deepEqual(walked, all);
    }
  });
});
