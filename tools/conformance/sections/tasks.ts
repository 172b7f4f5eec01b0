import assert from 'node:assert/strict';
import { makePng } from '../../../server/test/support/media/pictures.ts';
import {
  getTask,
  listTasks,
  queueTask,
  retryTask,
  TASKS,
  waitForStatus,
} from '../../../server/test/support/tasks/tasks.ts';
import { readBack } from '../../../server/test/support/zip/zip-reading.ts';
import { refuse } from '../refusals.ts';
import type { Section } from '../suite.ts';

const TERMINAL = ['COMPLETED', 'FAILED', 'CANCELLED'];

export const tasks: Section = {
  title: 'Background tasks',
  checks: {
    'an archive is made beside the original': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const directory = await alice.mkdir(`${path}/docs`);
      await alice.upload(`${path}/docs/a.txt`, 'aaa');
      const task = await queueTask(alice, directory);
      assert.deepEqual([task.type, task.publicStateJson.maxAttempts], ['ARCHIVE', 4]);
      assert.deepEqual(
        [task.publicStateJson.fileId, task.publicStateJson.path],
        [directory.id, directory.path],
      );
      const done = await waitForStatus(alice, task, 'COMPLETED');
      assert.ok(done.finishedAt !== null);
      assert.deepEqual(
        [done.publicStateJson.phase, done.publicStateJson.progressPercent],
        ['completed', 100],
      );
      assert.equal(done.publicStateJson.workerOwner, undefined);
      const archive = (await alice.list(path)).items.find(({ filename }) => filename === 'docs.zip');
      assert.ok(archive !== undefined);
      const files = (await readBack(await alice.download(archive))).filter(({ bytes }) => bytes.length > 0);
      assert.deepEqual(
        files.map(({ entry, bytes }) => [entry.fileName, `${bytes}`]),
        [['docs/a.txt', 'aaa']],
      );
    },
    'an archive is extracted beside itself, without its root folder': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const directory = await alice.mkdir(`${path}/docs`);
      await alice.upload(`${path}/docs/b/a.txt`, 'deep');
      await waitForStatus(alice, await queueTask(alice, directory), 'COMPLETED');
      const archive = (await alice.list(path)).items.find(({ filename }) => filename === 'docs.zip');
      assert.ok(archive !== undefined);
      const target = await alice.mkdir(`${path}/target`);
      const moved = await alice.move(archive, target.path);
      const task = await queueTask(alice, moved, { type: 'EXTRACT' });
      assert.equal(task.publicStateJson.maxAttempts, 3);
      await waitForStatus(alice, task, 'COMPLETED');
      assert.deepEqual((await alice.names(target.path)).toSorted(), ['b', 'docs.zip']);
    },
    'a taken name fails the task for good, and a retry is possible': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const file = await alice.upload(`${path}/a.txt`, 'a');
      const taken = await alice.upload(`${path}/a.txt.zip`, 'taken');
      const task = await queueTask(alice, file);
      const failed = await waitForStatus(alice, task, 'FAILED');
      assert.equal(failed.failureCategory, 'DATA_STATE');
      assert.ok(failed.errorMessage);
      await alice.recycle(taken);
      const retried = await retryTask(alice, task);
      assert.deepEqual([retried.finishedAt, retried.errorMessage], [null, null]);
      await waitForStatus(alice, task, 'COMPLETED');
      await refuse('rejected', alice, 'POST', `${TASKS}/${task.id}/retry`);
    },
    'the metadata of a picture is taken by itself, once': async (scene) => {
      const alice = await scene.newcomer();
      const file = await alice.upload('/picture.png', makePng(3, 2), 'image/png');
      const [task] = (await listTasks(alice)).items;
      assert.deepEqual([task?.type, (await listTasks(alice)).total], ['MEDIA_META', 1]);
      await waitForStatus(alice, task ?? { id: 0 }, 'COMPLETED');
      const { metadata } = await alice.details(file);
      assert.deepEqual([String(metadata['media:width']), String(metadata['media:height'])], ['3', '2']);
      const again = await queueTask(alice, file, { type: 'MEDIA_META' });
      assert.equal(again.publicStateJson.maxAttempts, 2);
      await waitForStatus(alice, again, 'COMPLETED');
    },
    'a correlation id gives the same task again': async (scene) => {
      const alice = await scene.person();
      const file = await alice.upload(`${await scene.directory(alice)}/a`, 'a');
      const first = await queueTask(alice, file, { correlationId: file.path });
      const second = await queueTask(alice, file, { correlationId: file.path });
      assert.equal(second.id, first.id);
    },
    'the path must be that of the file, and its kind must fit': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const text = await alice.upload(`${path}/a.txt`, 'a', 'text/plain');
      const directory = await alice.mkdir(`${path}/b`);
      for (const [name, { id }, place] of [
        ['archive', text, '/elsewhere'],
        ['extract', text, text.path],
        ['extract', directory, directory.path],
        ['media-metadata', text, text.path],
        ['media-metadata', directory, directory.path],
      ] as const) {
        const answer = await alice.call('POST', `${TASKS}/${name}`, { body: { fileId: id, path: place } });
        assert.equal(answer.status, 400, `${name} of ${place}`);
      }
      const foreign = { body: { fileId: text.id, path: text.path } };
      await refuse('not-found', await scene.person('bob'), 'POST', `${TASKS}/archive`, foreign);
    },
    'a finished task cannot be cancelled, and those of others are not found': async (scene) => {
      const alice = await scene.person();
      const file = await alice.upload(`${await scene.directory(alice)}/a`, 'a');
      const task = await queueTask(alice, file);
      await waitForStatus(alice, task, 'COMPLETED');
      await alice.call('DELETE', `${TASKS}/${task.id}`);
      assert.equal((await getTask(alice, task)).status, 'COMPLETED');
      const bob = await scene.person('bob');
      await refuse('not-found', bob, 'GET', `${TASKS}/${task.id}`);
      await refuse('not-found', bob, 'DELETE', `${TASKS}/${task.id}`);
      await refuse('not-found', bob, 'POST', `${TASKS}/${task.id}/retry`);
    },
    'a cancelled task ends, and leaves no output unless it had completed': async (scene) => {
      const alice = await scene.person();
      const path = await scene.directory(alice);
      const file = await alice.upload(`${path}/a`, 'a'.repeat(100_000));
      const task = await queueTask(alice, file);
      const { status } = await alice.ask<{ status: string }>('DELETE', `${TASKS}/${task.id}`);
      assert.ok(TERMINAL.includes(status), status);
      const names = await alice.names(path);
      assert.equal(names.includes('a.zip'), (await getTask(alice, task)).status === 'COMPLETED');
    },
  },
};
