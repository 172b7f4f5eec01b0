// tier: default
// runs on: sqlite, postgres
// Editors who lose rights while one of their tasks runs.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { type Holdall, startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { listUnusedObjects } from '../support/drive/stored-files.ts';
import { REDUCTIONS, reduceDuring, startMemberRace } from '../support/drives/member-race.ts';
import { makePng } from '../support/media/pictures.ts';
import { getTask, listTasks, queueTask, retryTask, TASKS, waitForStatus } from '../support/tasks/tasks.ts';
import { forgeZip } from '../support/zip/zip-forge.ts';

const env = { HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const elsewhere: Holdall = isPostgres
  ? await startHoldall({ env: { ...env, HOLDALL_WORKER_CONCURRENCY: '0' }, beside: holdall })
  : holdall;
const instances = [holdall, elsewhere] as const;

afterEach(() => checkBooks(holdall));

interface Kind {
  readonly type: 'ARCHIVE' | 'EXTRACT' | 'MEDIA_META';
  /** Creates what the task is about. */
  readonly prepare: (person: Person) => Promise<EntryRecord>;
  /** The names in the drive when the task has succeeded. */
  readonly names: readonly string[];
}

const KINDS: readonly Kind[] = [
  {
    ...{ type: 'ARCHIVE', names: ['directory', 'directory.zip'] },
    prepare: (person) => person.mkdir('/directory'),
  },
  {
    ...{ type: 'EXTRACT', names: ['a.zip', 'one', 'two'] },
    prepare: (person) => {
      const entries = ['one', 'two'].map((name) => ({ name, content: name }));
      return person.upload('/a.zip', new Uint8Array(forgeZip(entries)), 'application/zip');
    },
  },
  {
    ...{ type: 'MEDIA_META', names: ['picture.png'] },
    prepare: async (person) => {
      const picture = await person.upload('/picture.png', makePng(), 'image/png');
      await waitUntil('its automatic task has ended', async () => {
        return (await listTasks(person)).items.every(({ finishedAt }) => finishedAt !== null);
      });
      return picture;
    },
  },
];

for (const { what, status, reduce } of REDUCTIONS) {
  for (const { type, prepare, names } of KINDS) {
    describe(`after its editor was ${what}, the task ${type}`, () => {
      test('fails without a result, and another editor can retry it', async (context) => {
        const { manager, ann, bob, editor, drive, holdChanges } = await startMemberRace(instances);
        const entry = await prepare(editor);
        const before = await ann.tree();
        // The creation of the task passes, and its result is held.
        const gate = holdChanges(context, 1);
        const task = await reduceDuring(
          gate,
          () => reduce(manager, drive, bob),
          () => queueTask(editor, entry, { type }),
        );
        const failed = await getTask(ann, task);
        assert.deepEqual([failed.status, failed.failureCategory], ['FAILED', 'DATA_STATE']);
        await waitUntil(
          'its objects are removed',
          async () => (await listUnusedObjects(holdall)).length === 0,
        );
        assert.deepEqual(await ann.tree(), before);
        const { userId } = await retryTask(ann, task);
        assert.equal(userId, ann.id);
        await waitForStatus(ann, task, 'COMPLETED');
        assert.deepEqual(await ann.names(), names);
      });

      test('is not created', async (context) => {
        const { manager, ann, bob, editor, drive, holdChanges } = await startMemberRace(instances);
        const { id: fileId, path } = await prepare(editor);
        const { total } = await listTasks(ann);
        const address = { ARCHIVE: 'archive', EXTRACT: 'extract', MEDIA_META: 'media-metadata' }[type];
        const gate = holdChanges(context);
        const answer = await reduceDuring(
          gate,
          () => reduce(manager, drive, bob),
          () => editor.call('POST', `${TASKS}/${address}`, { body: { fileId, path } }),
        );
        assert.equal(answer.status, status);
        assert.equal((await listTasks(ann)).total, total);
      });
    });
  }

  describe(`after its editor was ${what}, a task`, () => {
    for (const [name, method, suffix] of [
      ['retried', 'POST', '/retry'],
      ['cancelled', 'DELETE', ''],
    ] as const) {
      test(`is not ${name}`, async (context) => {
        const { manager, ann, bob, editor, drive, holdChanges } = await startMemberRace(instances);
        const broken = await ann.upload('/broken.zip', 'broken', 'application/zip');
        const task = await queueTask(ann, broken, { type: 'EXTRACT' });
        const failed = await waitForStatus(ann, task, 'FAILED');
        const gate = holdChanges(context);
        const answer = await reduceDuring(
          gate,
          () => reduce(manager, drive, bob),
          () => editor.call(method, `${TASKS}/${task.id}${suffix}`),
        );
        assert.equal(answer.status, status);
        assert.deepEqual(await getTask(ann, task), failed);
      });
    }
  });
}
