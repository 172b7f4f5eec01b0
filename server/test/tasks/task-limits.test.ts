// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TaskRecord } from '../../src/tasks/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';
import { sabotage } from '../support/checks/sabotage.ts';
import { isPostgres } from '../support/database/test-database.ts';
import {
  cancelTask,
  listTasks,
  queueTask,
  ScriptedJob,
  TASKS,
  untilAborted,
  waitForStatus,
} from '../support/tasks/tasks.ts';

// How many tasks of an account may be unfinished, and how many may read the metadata of one file.

const job = new ScriptedJob('MEDIA_META');
const idle = await startHoldall({ env: { HOLDALL_WORKER_CONCURRENCY: '0' } });
const instances = [
  idle,
  ...(isPostgres ? [await startHoldall({ env: { HOLDALL_WORKER_CONCURRENCY: '0' }, beside: idle })] : []),
];
const urls = instances.map(({ url }) => url);

describe('the unfinished tasks of an account', async () => {
  const ann = await idle.register('ann');
  const directory = await ann.mkdir('/a');
  const body = { fileId: directory.id, path: directory.path };

  test('may be 500; further ones are rejected until one ends', async () => {
    const now = idle.clock.now();
    await sabotage(
      idle,
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 495)
        insert into task (drive_id, account_id, type, status, input, progress, attempt, attempt_count, max_attempts,
          unknown_failures, run_at, created_at, updated_at)
        select ${ann.driveId}, ${ann.id}, 'ARCHIVE', 'QUEUED', '{}', '{}', 0, 0, 4, 0, ${now}, ${now}, ${now} from numbers`,
    );
    const answers = await race(atEveryInstance(ann, urls), 12, (person) =>
      person.call<TaskRecord>('POST', `${TASKS}/archive`, { body }),
    );
    assert.deepEqual(countStatuses(answers), { 200: 5, 429: 7 });
    const refused = await ann.refused(429, 2429, 'POST', `${TASKS}/archive`, { body });
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    const queued = answers.find(({ status }) => status === 200)?.data ?? assert.fail();
    await cancelTask(ann, queued);
    await queueTask(ann, directory);
    await ann.refused(429, 2429, 'POST', `${TASKS}/archive`, { body });
  });

  test('do not include automatic ones, whose uploads succeed at the limit', async () => {
    const picture = await ann.upload('/picture.png', 'pixels', 'image/png');
    const automatic = await queueTask(ann, picture, { type: 'MEDIA_META' });
    assert.equal(automatic.correlationId, `media-meta:auto:${picture.id}`);
  });

  test('cannot exceed the limit by retrying a failed one', async () => {
    const [newest] = (await listTasks(ann, '?size=1')).items;
    const { id } = newest ?? assert.fail();
    await sabotage(
      idle,
      `update task set is_automatic = 0, status = 'FAILED', finished_at = 1 where id = ${id}`,
    );
    await ann.refused(429, 2429, 'POST', `${TASKS}/${id}/retry`);
  });
});

describe('the metadata of a file is read by one task at a time', async () => {
  const working = await startHoldall({ jobs: [job] });
  const bob = await idle.register('bob');
  const eve = await working.register('eve');

  test('however many are requested at the same moment', async () => {
    const picture = await bob.upload('/one.png', 'pixels', 'image/png');
    await sabotage(idle, `delete from task where account_id = ${bob.id}`);
    const body = { fileId: picture.id, path: picture.path };
    const tasks = await race(atEveryInstance(bob, urls), 20, (person) =>
      person.ask<TaskRecord>('POST', `${TASKS}/media-metadata`, { body }),
    );
    assert.equal(new Set(tasks.map(({ id }) => id)).size, 1);
    assert.equal((await listTasks(bob)).total, 1);
  });

  test('and ended ones are replaced by the next, so the list stays short', async () => {
    job.does((attempt) => working.app.database.transact((tx) => attempt.complete(tx)));
    const picture = await eve.upload('/many.png', 'pixels', 'image/png');
    for (let times = 0; times < 3; times += 1) {
      const task = await queueTask(eve, picture, { type: 'MEDIA_META' });
      await waitForStatus(eve, task, 'COMPLETED');
    }
    assert.equal((await listTasks(eve)).total, 1);
  });

  test('and begins again when the content is replaced meanwhile', async () => {
    job.does(untilAborted);
    const picture = await eve.upload('/replaced.png', 'pixels', 'image/png');
    const running = await queueTask(eve, picture, { type: 'MEDIA_META' });
    await waitForStatus(eve, running, 'RUNNING');
    job.does((attempt) => working.app.database.transact((tx) => attempt.complete(tx)));
    await eve.ask('PUT', `/api/v2/files/${picture.id}/content`, {
      body: 'other pixels',
      headers: { 'content-type': 'image/png' },
    });
    const ended = await waitForStatus(eve, running, 'COMPLETED');
    assert.equal(ended.publicStateJson.attemptCount, 1);
    const ofFile = (await listTasks(eve)).items.filter(
      ({ publicStateJson }) => publicStateJson.fileId === picture.id,
    );
    assert.deepEqual(
      ofFile.map(({ id }) => id),
      [running.id],
    );
  });
});
